//! The four formats of a text in a form, really checked.

use std::net::{Ipv4Addr, Ipv6Addr};

/// One format.
pub(super) struct Format {
    name: &'static str,
    /// What completes "must be …".
    pub(super) phrase: &'static str,
    pub(super) admits: fn(&str) -> bool,
}

const FORMATS: [Format; 4] = [
    Format { name: "email", phrase: "an e-mail address like name@example.com", admits: is_email },
    Format { name: "uri", phrase: "a full address like https://example.com", admits: is_uri },
    Format { name: "date", phrase: "a date like 2026-07-28", admits: is_date },
    Format {
        name: "date-time",
        phrase: "a date and time with its time zone like 2026-07-28T09:30:00Z",
        admits: is_date_time,
    },
];

/// The format of this name.
pub(super) fn find(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// A `Mailbox` of RFC 5321, section 4.1.2.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    // RFC 5321, section 4.5.3.1: 64 octets in front of the `@`, and 254 in a path without its brackets.
    local.len() <= 64 && text.len() <= 254 && is_local_part(local) && is_mail_domain(domain)
}

fn is_local_part(local: &str) -> bool {
    if let Some(quoted) = local.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        let mut chars = quoted.chars();
        while let Some(char) = chars.next() {
            let legal = match char {
                '\\' => chars.next().is_some_and(|escaped| matches!(escaped, ' '..='~')),
                '"' => false,
                other => matches!(other, ' '..='~'),
            };
            if !legal {
                return false;
            }
        }
        return true;
    }
    let atom = |char: char| char.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(char);
    local.split('.').all(|part| !part.is_empty() && part.chars().all(atom))
}

fn is_mail_domain(domain: &str) -> bool {
    if let Some(literal) = domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return match literal.strip_prefix("IPv6:") {
            Some(address) => address.parse::<Ipv6Addr>().is_ok(),
            None => literal.parse::<Ipv4Addr>().is_ok(),
        };
    }
    domain.split('.').all(|label| {
        let ends = !label.starts_with('-') && !label.ends_with('-');
        let legal = label.chars().all(|char| char.is_ascii_alphanumeric() || char == '-');
        (1..=63).contains(&label.len()) && ends && legal
    })
}

/// A `URI` of RFC 3986: with a scheme, and without characters that would have to be encoded.
pub(crate) fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let legal = |char: char| char.is_ascii_alphanumeric() || "+-.".contains(char);
    if !scheme.starts_with(|char: char| char.is_ascii_alphabetic()) || !scheme.chars().all(legal) {
        return false;
    }
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (hierarchy, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, path) = match hierarchy.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", hierarchy),
    };
    // RFC 9110, section 4.2: an http(s) URI with an empty host is invalid.
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let has_host = !host.is_empty() && !host.starts_with(':');
    !rest.is_empty()
        && (!is_web || has_host)
        && is_authority(authority)
        && is_encoded(path, "/:@")
        && is_encoded(query, "/?:@")
        && is_encoded(fragment, "/?:@")
}

fn is_authority(authority: &str) -> bool {
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let is_port = |port: &str| port.chars().all(|char| char.is_ascii_digit());
    if !is_encoded(user, ":") {
        return false;
    }
    if let Some(literal) = host.strip_prefix('[') {
        let Some((address, port)) = literal.split_once(']') else { return false };
        let is_future = address.starts_with(['v', 'V'])
            && address.split_once('.').is_some_and(|(version, rest)| {
                let hex = |char: char| char.is_ascii_hexdigit();
                version.len() > 1
                    && version[1..].chars().all(hex)
                    && !rest.is_empty()
                    && is_encoded(rest, ":")
            });
        return (address.parse::<Ipv6Addr>().is_ok() || is_future)
            && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port));
    }
    let (name, port) = host.split_once(':').unwrap_or((host, ""));
    is_encoded(name, "") && is_port(port)
}

/// Whether `part` has only unreserved characters, sub-delimiters, percent-encoded octets, and these.
fn is_encoded(part: &str, also: &str) -> bool {
    let bytes = part.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let char = char::from(byte);
        if char == '%' {
            let octet = bytes.get(at + 1..at + 3);
            if !octet.is_some_and(|octet| octet.iter().all(u8::is_ascii_hexdigit)) {
                return false;
            }
            at += 3;
        } else if char.is_ascii_alphanumeric() || "-._~!$&'()*+,;=".contains(char) || also.contains(char) {
            at += 1;
        } else {
            return false;
        }
    }
    true
}

/// A `full-date` of RFC 3339 that is in the calendar.
fn is_date(text: &str) -> bool {
    let [year, month, day] = &text.split('-').collect::<Vec<_>>()[..] else { return false };
    let (Some(year), Some(month), Some(day)) = (digits(year, 4), digits(month, 2), digits(day, 2)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// A `date-time` of RFC 3339.
fn is_date_time(text: &str) -> bool {
    let Some((date, rest)) = text.split_once(['T', 't']) else { return false };
    let Some(at) = rest.find(['Z', 'z', '+', '-']) else { return false };
    let (time, zone) = rest.split_at(at);
    let offset = match zone {
        "Z" | "z" => Some(0),
        _ => clock(&zone[1..]).map(|minutes| if zone.starts_with('-') { -minutes } else { minutes }),
    };
    let Some(offset) = offset else { return false };
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let (Some(minutes), Some(second)) =
        (time.get(..5).and_then(clock), time.get(5..).and_then(|rest| digits(rest.strip_prefix(':')?, 2)))
    else {
        return false;
    };
    // Section 5.7: a leap second is the last of a day in UTC.
    let is_leap_second = second == 60 && (minutes - offset).rem_euclid(24 * 60) == 24 * 60 - 1;
    is_date(date)
        && (second < 60 || is_leap_second)
        && !fraction.is_empty()
        && fraction.bytes().all(|byte| byte.is_ascii_digit())
}

/// `hh:mm` as minutes.
fn clock(text: &str) -> Option<i32> {
    let (hour, minute) = text.split_once(':')?;
    let (hour, minute) = (digits(hour, 2)?, digits(minute, 2)?);
    (hour < 24 && minute < 60).then_some(hour * 60 + minute)
}

/// A number of exactly so many digits.
fn digits(text: &str, count: usize) -> Option<i32> {
    let legal = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    legal.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::find;

    fn judge(name: &str, good: &[&str], bad: &[&str]) {
        let format = find(name).unwrap();
        for text in good {
            assert!((format.admits)(text), "{name} refuses {text:?}");
        }
        for text in bad {
            assert!(!(format.admits)(text), "{name} admits {text:?}");
        }
    }

    #[test]
    fn email() {
        let local = "l".repeat(65);
        judge(
            "email",
            &[
                "user@example.com",
                "octocat@github.com",
                "first.last+tag@sub.example.co.uk",
                "o'neill@example.com",
                "\"a b\\\"@\"@example.com",
                "user@localhost",
                "user@xn--bcher-kva.example",
                "user@[127.0.0.1]",
                "user@[IPv6:::1]",
            ],
            &[
                "",
                "user",
                "@example.com",
                "user@",
                "a@b@example.com",
                ".user@example.com",
                "us..er@example.com",
                "user@-example.com",
                "user@example..com",
                "user@example.com.",
                "user name@example.com",
                " user@example.com",
                "user@exam_ple.com",
                "Mona <user@example.com>",
                "\"a\"b\"@example.com",
                "user@[300.0.0.1]",
                &format!("{local}@example.com"),
            ],
        );
    }

    #[test]
    fn uri() {
        judge(
            "uri",
            &[
                "https://example.com",
                "https://mcp.example.com/ui/set_api_key?a=b&c=%20#top",
                "HTTP://user:pass@example.com:8080/",
                "http://[2001:db8::7]:80/c",
                "ldap://[2001:db8::7]/c=GB?objectClass?one",
                "mailto:John.Doe@example.com",
                "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
                "file:///etc/hosts",
                "db://orders/rows/1",
                "tel:+1-816-555-1212",
            ],
            &[
                "",
                "example.com",
                "/relative",
                "//example.com/path",
                "https:",
                "https://",
                "https:///path",
                "https://:80/",
                "https://exa mple.com",
                "https://example.com/%2",
                "https://example.com/%zz",
                "https://example.com/a#b#c",
                "https://example.com:port/",
                "https://exämple.com",
                "http://[2001:db8::7/",
                "1http://example.com",
                ":nothing",
                "https://example.com/<a>",
                "https://example.com/[a]",
            ],
        );
    }

    #[test]
    fn date() {
        judge(
            "date",
            &["2026-07-28", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"],
            &[
                "",
                "2026-02-29",
                "1900-02-29",
                "2026-13-01",
                "2026-00-10",
                "2026-04-31",
                "2026-01-00",
                "2026-7-28",
                "26-07-28",
                "2026-07-28T00:00:00Z",
                "2026/07/28",
                "28.07.2026",
                "+026-07-28",
                "٢٠٢٦-07-28",
                "2026-07-28 ",
            ],
        );
    }

    #[test]
    fn date_time() {
        judge(
            "date-time",
            &[
                "2026-07-28T09:30:00Z",
                "1985-04-12T23:20:50.52Z",
                "1996-12-19T16:39:57-08:00",
                "1990-12-31T23:59:60Z",
                "1990-12-31T15:59:60-08:00",
                "1937-01-01T12:00:27.87+00:20",
                "2026-07-28t09:30:00z",
            ],
            &[
                "",
                "2026-07-28",
                "2026-07-28T09:30:00",
                "2026-07-28 09:30:00Z",
                "2026-07-28T09:30Z",
                "2026-07-28T24:00:00Z",
                "2026-07-28T09:60:00Z",
                "2026-07-28T09:30:60Z",
                "2026-07-28T09:30:61Z",
                "1990-12-31T15:59:60-09:00",
                "2026-07-28T09:30:00.Z",
                "2026-07-28T09:30:00+24:00",
                "2026-07-28T09:30:00+0200",
                "2026-02-30T09:30:00Z",
                "2026-07-28T09:30:00Zulu",
                "2026-07-28T09:3é:00Z",
            ],
        );
    }
}
