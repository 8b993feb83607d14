//! One value in a header against its original in the body (Value Encoding, Server Validation).

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;

use crate::schema::header::HeaderKind;

/// The text of a header's value, without optional white space around it.
///
/// "HTTP header field values must consist of visible ASCII characters (0x21-0x7E), space (0x20), and
/// horizontal tab (0x09)."
pub(crate) fn text(value: &HeaderValue) -> Result<&str, &'static str> {
    match value.to_str() {
        Ok(text) => Ok(text.trim_matches([' ', '\t'])),
        Err(_) => Err("contains invalid characters; send what is not plain ASCII as `=?base64?..?=`"),
    }
}

/// The same, decoded where it is encoded: "the prefix `=?base64?` and suffix `?=` indicate that the value is
/// Base64-encoded. These markers are case-sensitive".
pub(super) fn decoded(value: &HeaderValue) -> Result<Cow<'_, str>, &'static str> {
    let text = text(value)?;
    let Some(encoded) = text.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Ok(Cow::Borrowed(text));
    };
    let bytes = STANDARD.decode(encoded).map_err(|_| "is not valid Base64")?;
    let text = String::from_utf8(bytes).map_err(|_| "is not Base64 of UTF-8")?;
    Ok(Cow::Owned(text))
}

/// Whether a header says what the JSON of an argument says.
///
/// "Servers SHOULD compare the header value and the body value numerically rather than as strings."
pub(super) fn is_equal(header: &str, json: &str, kind: HeaderKind) -> bool {
    match json.as_bytes().first() {
        Some(b'"') => {
            let inner = unquoted(json);
            header == inner || (kind == HeaderKind::Integer && is_same_number(header, &inner))
        }
        Some(b'{' | b'[') | None => false,
        _ => header == json || is_same_number(header, json),
    }
}

/// What a person is shown of the JSON of an argument.
pub(super) fn shown(json: &str) -> Cow<'_, str> {
    shortened(if json.starts_with('"') { unquoted(json) } else { Cow::Borrowed(json) })
}

/// Enough of a value to recognise it.
pub(crate) fn shortened(text: Cow<'_, str>) -> Cow<'_, str> {
    const ENOUGH: usize = 100;
    match text.char_indices().nth(ENOUGH) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => text,
    }
}

fn unquoted(json: &str) -> Cow<'_, str> {
    let inner = json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(json);
    if inner.contains('\\') {
        Cow::Owned(serde_json::from_str(json).unwrap_or_default())
    } else {
        Cow::Borrowed(inner)
    }
}

fn is_same_number(left: &str, right: &str) -> bool {
    if let (Some(left), Some(right)) = (integer(left), integer(right)) {
        return left == right;
    }
    let number = |text: &str| serde_json::from_str::<serde_json::Number>(text).ok()?.as_f64();
    // Beyond 2^53 two integers can share a double, and an argument that is mirrored cannot be so large.
    number(left).is_some_and(|left| left.abs() < 9_007_199_254_740_992.0 && number(right) == Some(left))
}

/// An integer, also when it is written as `42.0`.
fn integer(text: &str) -> Option<i128> {
    let (whole, zeros) = text.split_once('.').unwrap_or((text, "0"));
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let is_json = match digits.as_bytes() {
        [b'0'] => true,
        [first, rest @ ..] => (b'1'..=b'9').contains(first) && rest.iter().all(u8::is_ascii_digit),
        [] => false,
    };
    (is_json && !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0')).then(|| whole.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of "Value Encoding".
    #[test]
    fn encoding_examples() {
        for (value, header) in [
            ("us-west1", "us-west1"),
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
            ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ] {
            assert_eq!(decoded(&HeaderValue::from_static(header)).as_deref(), Ok(value));
        }
    }

    #[test]
    fn only_the_whole_sentinel_counts() {
        for literal in
            ["=?base64?SGVsbG8=", "SGVsbG8=?=", "=?BASE64?SGVsbG8=?=", "=?base64?=", "a =?base64?SGVsbG8=?="]
        {
            assert_eq!(decoded(&HeaderValue::from_static(literal)).as_deref(), Ok(literal));
        }
        assert_eq!(decoded(&HeaderValue::from_static("=?base64??=")).as_deref(), Ok(""));
        assert_eq!(decoded(&HeaderValue::from_static(" \t a b \t")).as_deref(), Ok("a b"));
    }

    #[test]
    fn bad_values_are_told_apart() {
        let fault = |bytes: &[u8]| decoded(&HeaderValue::from_bytes(bytes).unwrap()).unwrap_err();
        assert_eq!(fault(b"=?base64?SGVsbG8?="), "is not valid Base64");
        assert_eq!(fault(b"=?base64?SGVs!!!bG8=?="), "is not valid Base64");
        assert_eq!(fault(b"=?base64?SGVsbG8-?="), "is not valid Base64");
        assert_eq!(fault(b"=?base64?/w==?="), "is not Base64 of UTF-8");
        assert!(fault("Größe".as_bytes()).starts_with("contains invalid characters"));
    }

    #[test]
    fn values_are_compared_by_their_kind() {
        use HeaderKind::{Boolean, Integer, String};
        for (header, json, kind) in [
            ("us-west1", r#""us-west1""#, String),
            ("a\"b", r#""a\"b""#, String),
            ("", r#""""#, String),
            ("42", "42", Integer),
            ("42.0", "42", Integer),
            ("42", "42.00", Integer),
            ("-7", "-7", Integer),
            ("0", "-0", Integer),
            ("4.2e1", "42", Integer),
            ("1.5", "1.50", Integer),
            ("42", r#""42""#, Integer),
            ("42.0", r#""42""#, Integer),
            ("9007199254740993", "9007199254740993.0", Integer),
            ("true", "true", Boolean),
            ("true", r#""true""#, Boolean),
        ] {
            assert!(is_equal(header, json, kind), "{header} {json}");
        }
        for (header, json, kind) in [
            ("US-west1", r#""us-west1""#, String),
            ("42.0", r#""42""#, String),
            ("43", "42", Integer),
            ("+42", "42", Integer),
            ("042", "42", Integer),
            ("42.", "42", Integer),
            ("0x2a", "42", Integer),
            ("", "42", Integer),
            ("9007199254740993", "9007199254740992", Integer),
            ("9007199254740993", "9.007199254740992e15", Integer),
            ("True", "true", Boolean),
            ("1", "true", Boolean),
            ("[1]", "[1]", String),
        ] {
            assert!(!is_equal(header, json, kind), "{header} {json}");
        }
    }
}
