//! What an author sets of the HTTP transport.

use super::authority::HostPattern;
use crate::registry::Faults;
use crate::server::Eras;

/// What an author sets of the HTTP transport.
#[derive(Clone, Debug)]
pub(crate) struct HttpOptions {
    /// The path of the endpoint on a server of our own.
    pub(crate) endpoint: String,
    /// The path of the endpoint of HTTP+SSE, where there is one.
    pub(crate) sse_endpoint: Option<String>,
    pub(crate) hosts: Vec<HostPattern>,
    /// Whole origins, `https://app.example.com`, or `*`.
    pub(crate) origins: Vec<String>,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self { endpoint: "/mcp".to_owned(), sse_endpoint: None, hosts: Vec::new(), origins: Vec::new() }
    }
}

impl HttpOptions {
    pub(crate) fn set_endpoint(&mut self, path: &str) {
        self.endpoint = rooted(path);
    }

    /// Notes what cannot be served as it was said.
    pub(crate) fn check(&self, eras: Eras, faults: &mut Faults) {
        let Some(sse) = &self.sse_endpoint else { return };
        if sse.trim_end_matches('/') == self.endpoint.trim_end_matches('/') {
            faults.note(format!(
                "`Server::sse_endpoint({sse:?})` is the path of the endpoint itself: choose another one"
            ));
        }
        if !eras.has_legacy() {
            faults.note(format!(
                "`Server::sse_endpoint({sse:?})` serves clients of 2024-11-05, and `Server::eras(Eras::Modern)` does not: \
                 take one of them away"
            ));
        }
    }

    pub(crate) fn set_sse_endpoint(&mut self, path: &str) {
        self.sse_endpoint = Some(rooted(path));
    }

    pub(crate) fn allow_host(&mut self, host: &str) {
        self.hosts.push(HostPattern::new(host));
    }

    pub(crate) fn allow_origin(&mut self, origin: &str) {
        self.origins.push(origin.trim().trim_end_matches('/').to_owned());
    }
}

fn rooted(path: &str) -> String {
    format!("/{}", path.trim_start_matches('/'))
}
