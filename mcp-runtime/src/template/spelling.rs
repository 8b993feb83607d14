//! One spelling of every URI, for those that are compared whole.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::unit::Unit;

/// The URI with its percent-encoding normalised (RFC 3986, section 6.2.2), its scheme in lower case, and its host too
/// where that names a machine; characters outside ASCII become their percent-encoded UTF-8 (RFC 3987, section 3.1).
///
/// Two URIs that differ only as clients' URL types spell them are one text then. Those types keep the case of a host
/// whose scheme they do not know, and authors choose such "hosts" freely, so `users://Bob` and `users://bob` stay two. A
/// URI with a broken escape is left as it is.
pub(crate) fn normal_spelling(uri: &str) -> Cow<'_, str> {
    let any_case = any_case(uri);
    let is_normal = !uri[..any_case].bytes().any(|byte| byte.is_ascii_uppercase())
        && uri.bytes().all(|byte| byte.is_ascii() && byte != b'%');
    if is_normal {
        return Cow::Borrowed(uri);
    }
    let bytes = uri.as_bytes();
    let mut normal = String::with_capacity(uri.len() + 16);
    let mut at = 0;
    while at < bytes.len() {
        let Some((unit, width)) = Unit::read(bytes, at) else { return Cow::Borrowed(uri) };
        if unit.encoded {
            let _ = write!(normal, "%{:02X}", unit.byte);
        } else {
            let lower = at < any_case;
            normal.push(char::from(if lower { unit.byte.to_ascii_lowercase() } else { unit.byte }));
        }
        at += width;
    }
    Cow::Owned(normal)
}

/// How many bytes at the start are scheme and host, whose case says nothing.
fn any_case(uri: &str) -> usize {
    let Some((scheme, rest)) = uri.split_once(':').filter(|(scheme, _)| !scheme.contains(['/', '?', '#']))
    else {
        return 0;
    };
    let names_a_machine =
        ["http", "https", "ws", "wss", "ftp", "file"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    let Some(authority) = rest.strip_prefix("//").filter(|_| names_a_machine) else { return scheme.len() };
    let end = authority.find(['/', '?', '#']).unwrap_or(authority.len());
    match authority[..end].find('@') {
        // What is in front of an `@` is a user, whose case matters.
        Some(_) => scheme.len(),
        None => scheme.len() + "://".len() + end,
    }
}

#[cfg(test)]
mod tests {
    use super::normal_spelling;

    #[test]
    fn spellings_of_one_uri_become_one() {
        for (uri, normal) in [
            ("db://schema", "db://schema"),
            ("DB://Schema/Orders", "db://Schema/Orders"),
            ("HTTPS://Example.com/Orders", "https://example.com/Orders"),
            ("notes://a/caf\u{e9}", "notes://a/caf%C3%A9"),
            ("notes://a/caf%c3%a9", "notes://a/caf%C3%A9"),
            ("notes://a/%7e%41", "notes://a/~A"),
            ("notes://a/b%2fc", "notes://a/b%2Fc"),
            ("ftp://Me@Host/A", "ftp://Me@Host/A"),
            ("urn:ISBN:1", "urn:ISBN:1"),
            ("no uri", "no uri"),
        ] {
            assert_eq!(normal_spelling(uri), normal);
        }
    }

    #[test]
    fn a_broken_escape_is_left_alone() {
        assert_eq!(normal_spelling("notes://100%"), "notes://100%");
        assert_eq!(normal_spelling("Notes://%zz"), "Notes://%zz");
    }
}
