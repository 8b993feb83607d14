//! What a decoding error says, in words that are not Rust's.

/// A decoding error, taken apart.
#[derive(Debug, PartialEq)]
pub(super) struct Decoding {
    /// What came, if the error tells: a value, or a word such as `null`.
    pub(super) got: Option<String>,
    /// The member that the error is about, if it names one.
    pub(super) member: Option<String>,
    /// What completes "expected …", if the error tells.
    pub(super) expected: Option<String>,
    /// The message of the type's own, if it is one.
    pub(super) message: Option<String>,
}

/// Takes an error of `serde_json` apart.
pub(super) fn read(error: &str) -> Decoding {
    let text = without_position(error.trim());
    let mut decoding = Decoding { got: None, member: None, expected: None, message: None };
    if let Some(name) = between(text, "missing field `", "`") {
        decoding.member = Some(name.to_owned());
        decoding.got = Some(super::check::MISSING.to_owned());
    } else if let Some(name) = between(text, "duplicate field `", "`") {
        decoding.member = Some(name.to_owned());
        decoding.message = Some(format!("`{name}` is given twice"));
    } else if let Some(name) = between(text, "unknown field `", "`") {
        decoding.member = Some(name.to_owned());
        decoding.expected = text.split_once("`, ").map(|(_, known)| match known {
            "there are no fields" => "no such property".to_owned(),
            known => format!("no property of this name ({})", known.replacen("expected", "there is", 1)),
        });
    } else if let Some(name) = between(text, "unknown variant `", "`") {
        decoding.got = Some(format!("{name:?}"));
        decoding.expected = text.split_once("`, expected ").map(|(_, known)| known.replace('`', "\""));
    } else if text.starts_with("data did not match any variant") {
        // The schema says what the variants are.
    } else if let Some((got, expected)) = ["invalid type: ", "invalid value: ", "invalid length "]
        .iter()
        .find_map(|start| text.strip_prefix(start)?.rsplit_once(", expected "))
    {
        decoding.got =
            Some(if text.starts_with("invalid length") { format!("{got} items") } else { came(got) });
        decoding.expected = Some(wanted(expected));
    } else {
        decoding.message = Some(text.to_owned());
    }
    decoding
}

/// The text before ` at line 1 column 5`.
fn without_position(text: &str) -> &str {
    match text.rsplit_once(" at line ") {
        Some((message, position)) if position.contains(" column ") => message,
        _ => text,
    }
}

/// What follows `start` at the beginning of `text`, up to `end`.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    Some(text.strip_prefix(start)?.split_once(end)?.0)
}

/// serde's word for a value that came: `string "x"`, ``integer `300` ``, `map`.
fn came(got: &str) -> String {
    match got {
        "map" => "an object".to_owned(),
        "sequence" => "an array".to_owned(),
        "null" | "unit value" | "Option value" => "null".to_owned(),
        _ => match got.split_once(' ') {
            Some(("string" | "character", value)) if value.starts_with('"') => value.to_owned(),
            Some(("floating", value)) => value.trim_start_matches("point ").trim_matches('`').to_owned(),
            Some((_, value)) => value.trim_matches('`').to_owned(),
            None => got.to_owned(),
        },
    }
}

/// serde's words for what was expected: `u8`, `a borrowed string`, `struct Filter`, `a tuple of size 2`.
fn wanted(expected: &str) -> String {
    let unsigned = |bits: u32| format!("an integer from 0 to {}", u128::MAX >> (128 - bits));
    let signed = |bits: u32| {
        let high = u128::MAX >> (129 - bits);
        format!("an integer from -{} to {high}", high + 1)
    };
    match expected {
        "u8" => unsigned(8),
        "u16" => unsigned(16),
        "u32" => unsigned(32),
        "u64" | "usize" => unsigned(64),
        "u128" => "an integer, 0 or greater".to_owned(),
        "i8" => signed(8),
        "i16" => signed(16),
        "i32" => signed(32),
        "i64" | "isize" => signed(64),
        "i128" => "an integer".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a boolean" | "bool" => "true or false".to_owned(),
        "a string" | "a borrowed string" | "a path" | "path string" => "a string".to_owned(),
        "a character" => "a string of exactly 1 character".to_owned(),
        "unit" => "null".to_owned(),
        "a map" | "map" => "an object".to_owned(),
        "a sequence" | "sequence" => "an array".to_owned(),
        "option" => "a value".to_owned(),
        _ => rust_type(expected),
    }
}

/// What a value of a named Rust type looks like; any other words are the author's and stay.
fn rust_type(expected: &str) -> String {
    let length = |start: &str| Some(format!("an array of {} items", expected.strip_prefix(start)?));
    if let Some(array) = length("a tuple of size ").or_else(|| length("an array of length ")) {
        return array;
    }
    if expected.starts_with("tuple struct ") || expected.starts_with("tuple variant ") {
        return "an array".to_owned();
    }
    if expected.starts_with("struct ") || expected.starts_with("struct variant ") {
        return "an object".to_owned();
    }
    if expected.starts_with("unit struct ") {
        return "null".to_owned();
    }
    if ["enum ", "adjacently tagged enum ", "internally tagged enum ", "newtype struct ", "string or map"]
        .iter()
        .any(|start| expected.starts_with(start))
    {
        return "one of the variants".to_owned();
    }
    expected.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde::de::DeserializeOwned;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only deserialized")]
    struct Filter {
        tags: Vec<String>,
    }

    #[derive(Debug, Deserialize)]
    enum Unit {
        Metric,
        Imperial,
    }

    fn error<T: DeserializeOwned + std::fmt::Debug>(json: &str) -> Decoding {
        read(&serde_json::from_str::<T>(json).unwrap_err().to_string())
    }

    fn told(got: &str, expected: &str) -> Decoding {
        Decoding {
            got: Some(got.to_owned()),
            member: None,
            expected: Some(expected.to_owned()),
            message: None,
        }
    }

    #[test]
    fn errors_lose_rusts_words_and_the_position() {
        assert_eq!(error::<u8>("300"), told("300", "an integer from 0 to 255"));
        assert_eq!(error::<i8>("\"x\""), told("\"x\"", "an integer from -128 to 127"));
        assert_eq!(error::<u64>("-1"), told("-1", "an integer from 0 to 18446744073709551615"));
        assert_eq!(error::<f32>("true"), told("true", "a number"));
        assert_eq!(error::<u8>("1.5"), told("1.5", "an integer from 0 to 255"));
        assert_eq!(error::<String>("{}"), told("an object", "a string"));
        assert_eq!(error::<bool>("null"), told("null", "true or false"));
        assert_eq!(error::<Filter>("3"), told("3", "an object"));
        assert_eq!(error::<(u8, u8)>("[1]"), told("1 items", "an array of 2 items"));
        assert_eq!(error::<Unit>("\"kelvin\""), told("\"kelvin\"", "\"Metric\" or \"Imperial\""));
        assert_eq!(error::<std::collections::HashMap<u8, u8>>("[]"), told("an array", "an object"));
    }

    #[test]
    fn a_member_is_named() {
        assert_eq!(
            error::<Filter>("{}"),
            Decoding {
                got: Some("missing".to_owned()),
                member: Some("tags".to_owned()),
                expected: None,
                message: None,
            }
        );
        assert_eq!(
            error::<Filter>(r#"{"tag": 1}"#),
            Decoding {
                got: None,
                member: Some("tag".to_owned()),
                expected: Some("no property of this name (there is `tags`)".to_owned()),
                message: None,
            }
        );
    }

    #[test]
    fn the_authors_own_words_stay() {
        assert_eq!(
            read("no region is called `mars` at line 1 column 6"),
            Decoding {
                got: None,
                member: None,
                expected: None,
                message: Some("no region is called `mars`".to_owned()),
            }
        );
    }
}
