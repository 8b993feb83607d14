//! Hosts with ports, as `Host` and `Origin` carry them, and the patterns that allow them.

use std::net::{IpAddr, Ipv6Addr};

/// `host[:port]` of a header (RFC 9110, section 7.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Authority<'a> {
    /// Without the brackets of an IPv6 address, and without the dot of a fully qualified name.
    pub(super) host: &'a str,
    pub(super) port: Option<u16>,
}

impl<'a> Authority<'a> {
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        if let Some(rest) = text.strip_prefix('[') {
            let (host, rest) = rest.split_once(']')?;
            host.parse::<Ipv6Addr>().ok()?;
            let port = if rest.is_empty() { None } else { Some(port(rest.strip_prefix(':')?)?) };
            return Some(Self { host, port });
        }
        let (host, port) = match text.split_once(':') {
            Some((host, digits)) => (host, Some(port(digits)?)),
            None => (text, None),
        };
        let host = host.strip_suffix('.').unwrap_or(host);
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
        (!host.is_empty() && host.bytes().all(fits)).then_some(Self { host, port })
    }

    /// The host of `scheme://host[:port]` (RFC 6454, section 6.2); `None` for `null` and what is no origin.
    pub(super) fn of_origin(origin: &'a str) -> Option<Self> {
        let (scheme, rest) = origin.split_once("://")?;
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        if scheme.is_empty() || !scheme.bytes().all(fits) {
            return None;
        }
        Self::parse(rest)
    }

    /// Names that only ever mean this machine, so that no other site's DNS can stand behind them.
    pub(super) fn is_loopback(self) -> bool {
        self.host.eq_ignore_ascii_case("localhost") || self.ip().is_some_and(|ip| ip.is_loopback())
    }

    pub(super) fn ip(self) -> Option<IpAddr> {
        self.host.parse::<IpAddr>().ok().map(|ip| ip.to_canonical())
    }
}

fn port(digits: &str) -> Option<u16> {
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// What [`Server::allow_host`](crate::Server::allow_host) takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HostPattern {
    hosts: Hosts,
    /// Any port, where none is given.
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Hosts {
    Any,
    One(String),
    /// `.example.com`: all its subdomains.
    Under(String),
}

impl HostPattern {
    /// A scheme and a path, as in an address that was pasted whole, are no part of a host.
    pub(super) fn new(pattern: &str) -> Self {
        let pattern = pattern.trim();
        let pattern = pattern.split_once("://").map_or(pattern, |(_, rest)| rest);
        let pattern = pattern.split('/').next().unwrap_or_default();
        if pattern == "*" {
            return Self { hosts: Hosts::Any, port: None };
        }
        let (wild, rest) = match pattern.strip_prefix("*.") {
            Some(rest) => (true, rest),
            None => (false, pattern),
        };
        // A bare IPv6 address has colons, but no port.
        let (host, port) = match (rest.parse::<Ipv6Addr>(), Authority::parse(rest)) {
            (Err(_), Some(authority)) => (authority.host, authority.port),
            _ => (rest, None),
        };
        let hosts = if wild { Hosts::Under(format!(".{host}")) } else { Hosts::One(host.to_owned()) };
        Self { hosts, port }
    }

    /// Whether it allows whatever comes.
    pub(super) fn is_any(&self) -> bool {
        self.hosts == Hosts::Any
    }

    pub(super) fn allows(&self, authority: Authority<'_>) -> bool {
        let host_fits = match &self.hosts {
            Hosts::Any => true,
            Hosts::One(host) => host.eq_ignore_ascii_case(authority.host),
            Hosts::Under(suffix) => {
                let start = authority.host.len().checked_sub(suffix.len());
                start.filter(|start| *start > 0).is_some_and(|start| {
                    authority.host.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(suffix))
                })
            }
        };
        host_fits && (self.port.is_none() || self.port == authority.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authorities_are_read() {
        let read = |text| Authority::parse(text).map(|authority| (authority.host, authority.port));
        assert_eq!(read("localhost"), Some(("localhost", None)));
        assert_eq!(read("localhost.:80"), Some(("localhost", Some(80))));
        assert_eq!(read("[::1]:8080"), Some(("::1", Some(8080))));
        assert_eq!(read("[::1]"), Some(("::1", None)));
        for bad in
            ["", ":80", "::1", "[::1", "[::1]80", "a:b", "a:99999", "a:+1", "user@a", "a/b", "a b", "a,b"]
        {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn loopback_is_a_name_or_an_address_never_a_look_alike() {
        let is_loopback = |text| Authority::parse(text).unwrap().is_loopback();
        for host in
            ["localhost", "LOCALHOST:1", "127.0.0.1", "127.9.8.7:80", "[::1]", "[::ffff:127.0.0.1]:80"]
        {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["localhost.evil.com", "127.0.0.1.evil.com", "evil-localhost", "10.0.0.1", "[::2]"] {
            assert!(!is_loopback(host), "{host}");
        }
    }

    #[test]
    fn patterns_allow_hosts() {
        let allows = |pattern: &str, host| HostPattern::new(pattern).allows(Authority::parse(host).unwrap());
        assert!(allows("api.example.com", "API.example.com"));
        assert!(allows("api.example.com", "api.example.com:8443"));
        assert!(allows("api.example.com:8443", "api.example.com:8443"));
        assert!(!allows("api.example.com:8443", "api.example.com"));
        assert!(!allows("api.example.com", "api.example.com.evil.com"));
        assert!(allows("https://api.example.com/mcp", "api.example.com"));
        assert!(allows("*.example.com", "a.b.example.com:1"));
        assert!(!allows("*.example.com", "example.com"));
        assert!(!allows("*.example.com", "evilexample.com"));
        assert!(allows("fd00::1", "[fd00::1]:80"));
        assert!(allows("[fd00::1]:80", "[fd00::1]:80"));
        assert!(allows("*", "anything:1"));
    }

    #[test]
    fn origins_have_a_scheme_and_a_host() {
        let host = |origin| Authority::of_origin(origin).map(|authority| authority.host);
        assert_eq!(host("http://localhost:3000"), Some("localhost"));
        assert_eq!(host("https://[::1]"), Some("::1"));
        for bad in ["null", "localhost", "://a", "http://", "http://a/b", "http://a b", "file://"] {
            assert_eq!(host(bad), None, "{bad}");
        }
    }
}
