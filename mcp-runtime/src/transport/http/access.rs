//! Who may send requests: `Host` and `Origin`.
//!
//! "Servers MUST validate the `Origin` header on all incoming connections to prevent DNS rebinding attacks."
//! (Security & Endpoint). A page whose own name was rebound to this machine sends that name in `Host` too.

use std::borrow::Cow;
use std::net::IpAddr;

use http::header::{HOST, ORIGIN};
use http::{HeaderMap, HeaderValue, StatusCode, Uri};

use super::HttpOptions;
use super::authority::{Authority, HostPattern};
use super::mirror::shortened;
use super::refusal::Refusal;

/// The hosts and origins that are allowed.
pub(super) struct Access {
    hosts: Vec<HostPattern>,
    origins: Vec<String>,
}

impl Access {
    pub(super) fn new(options: &HttpOptions) -> Self {
        Self { hosts: options.hosts.clone(), origins: options.origins.clone() }
    }

    /// Checks every host that the request names: `Host`, HTTP/2's `:authority`, an absolute request target.
    ///
    /// `local` is the address of ours that the connection came in at: a request that names it was not led
    /// here by a name that somebody else controls.
    pub(super) fn check_host(
        &self,
        uri: &Uri,
        headers: &HeaderMap,
        local: Option<IpAddr>,
    ) -> Result<(), Refusal> {
        let mut hosts = headers.get_all(HOST).iter();
        let header = hosts.next();
        if hosts.next().is_some() {
            return Err(Refusal::bad_request("the request has more than one `Host` header"));
        }
        if header.is_none() && uri.authority().is_none() {
            return Err(Refusal::bad_request("the request has no `Host` header"));
        }
        if let Some(authority) = uri.authority() {
            self.check_authority(authority.as_str(), local)?;
        }
        header.map_or(Ok(()), |host| self.check_authority(&lossy(host), local))
    }

    fn check_authority(&self, text: &str, local: Option<IpAddr>) -> Result<(), Refusal> {
        let authority = Authority::parse(text);
        if authority.is_some_and(|authority| {
            authority.is_loopback()
                || is_local(authority, local)
                || self.hosts.iter().any(|pattern| pattern.allows(authority))
        }) {
            return Ok(());
        }
        let Some(authority) = authority else {
            let text = shortened(text.into());
            return Err(Refusal::bad_request(format!("the host {text:?} is not `name` or `name:port`")));
        };
        let host = shortened(authority.host.into());
        let message = format!(
            "the host {host:?} is not allowed; if this server is meant to be reached by that name, allow it with \
             `Server::allow_host({host:?})` or `--allow-host {host}`"
        );
        tracing::warn!("refused a request: {message}");
        Err(Refusal::new(StatusCode::FORBIDDEN, message))
    }

    /// The origin of a request from a browser, if it has one and it is allowed.
    ///
    /// "If the `Origin` header is present and invalid, servers MUST respond with HTTP 403 Forbidden."
    pub(super) fn check_origin(
        &self,
        headers: &HeaderMap,
        local: Option<IpAddr>,
    ) -> Result<Option<HeaderValue>, Refusal> {
        let mut origins = headers.get_all(ORIGIN).iter();
        let Some(origin) = origins.next() else { return Ok(None) };
        let text = lossy(origin);
        if origins.next().is_none() && self.allows_origin(&text, local) {
            return Ok(Some(origin.clone()));
        }
        let message = if text == "null" {
            "the origin \"null\", that of a sandboxed or local page, is never allowed".into()
        } else {
            let text = shortened(text);
            format!(
                "the origin {text:?} is not allowed; if its pages are meant to use this server, allow it with \
                 `Server::allow_origin({text:?})` or `--allow-origin {text}`"
            )
        };
        tracing::warn!("refused a request: {message}");
        Err(Refusal::new(StatusCode::FORBIDDEN, message))
    }

    fn allows_origin(&self, origin: &str, local: Option<IpAddr>) -> bool {
        let Some(authority) = Authority::of_origin(origin) else { return false };
        authority.is_loopback()
            || is_local(authority, local)
            // `*` says that a proxy in front vouches for `Host`; it says nothing of whose pages may call.
            || self.hosts.iter().any(|pattern| !pattern.is_any() && pattern.allows(authority))
            || self.origins.iter().any(|allowed| allowed == "*" || allowed.eq_ignore_ascii_case(origin))
    }
}

fn is_local(authority: Authority<'_>, local: Option<IpAddr>) -> bool {
    local.is_some() && authority.ip() == local
}

fn lossy(value: &HeaderValue) -> Cow<'_, str> {
    String::from_utf8_lossy(value.as_bytes())
}
