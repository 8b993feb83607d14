//! What an author sets of the HTTP transport.

use super::authority::HostPattern;

/// What an author sets of the HTTP transport.
#[derive(Clone, Debug)]
pub(crate) struct HttpOptions {
    /// The path of the endpoint on a server of our own.
    pub(crate) endpoint: String,
    pub(crate) hosts: Vec<HostPattern>,
    /// Whole origins, `https://app.example.com`, or `*`.
    pub(crate) origins: Vec<String>,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self { endpoint: "/mcp".to_owned(), hosts: Vec::new(), origins: Vec::new() }
    }
}

impl HttpOptions {
    pub(crate) fn set_endpoint(&mut self, path: &str) {
        self.endpoint = format!("/{}", path.trim_start_matches('/'));
    }

    pub(crate) fn allow_host(&mut self, host: &str) {
        self.hosts.push(HostPattern::new(host));
    }

    pub(crate) fn allow_origin(&mut self, origin: &str) {
        self.origins.push(origin.trim().trim_end_matches('/').to_owned());
    }
}
