//! What to tell someone whose text does not say what the parameter takes.

use std::fmt::{self, Display, Write as _};

use serde::de::{Error, Expected, Unexpected};

/// How much of the text that came an error repeats, in characters.
const SHOWN: usize = 60;

/// Why a text could not be read: a clause without a full stop, such as `expected an integer, got "abc"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextError {
    message: String,
}

impl TextError {
    /// `what` was expected and `text` came.
    pub(super) fn expected(what: &dyn Display, text: &str) -> Self {
        Self::custom(format_args!("expected {what}, got {}", quote(text)))
    }

    /// The text is not the JSON that was expected, or its content does not fit.
    pub(super) fn json(what: &str, text: &str, error: &serde_json::Error) -> Self {
        if error.is_data() {
            Self::custom(error)
        } else {
            Self::custom(format_args!("expected {what}, got {} ({error})", quote(text)))
        }
    }

    /// The same error, in the item of a list, counted from one.
    pub(super) fn in_item(self, item: usize) -> Self {
        Self::custom(format_args!("item {item}: {}", self.message))
    }
}

impl Display for TextError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for TextError {}

impl Error for TextError {
    fn custom<T: Display>(message: T) -> Self {
        Self { message: message.to_string() }
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_value(unexpected, expected)
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        match unexpected {
            Unexpected::Str(text) => Self::expected(&expected, text),
            Unexpected::Signed(number) => Self::got(expected, &number),
            Unexpected::Unsigned(number) => Self::got(expected, &number),
            other => Self::got(expected, &other),
        }
    }

    fn unknown_variant(variant: &str, allowed: &'static [&'static str]) -> Self {
        let mut list = String::new();
        for (i, name) in allowed.iter().enumerate() {
            let separator = match i {
                0 => "",
                _ if i + 1 < allowed.len() => ", ",
                _ => " or ",
            };
            // Writing to a string does not fail.
            let _ = write!(list, "{separator}\"{name}\"");
        }
        Self::expected(&list, variant)
    }
}

impl TextError {
    /// `expected` was expected, and something came that is not worth quotation marks.
    fn got(expected: &dyn Expected, got: &dyn Display) -> Self {
        Self::custom(format_args!("expected {expected}, got {got}"))
    }
}

/// The text in quotation marks, cut where it gets long.
pub(super) fn quote(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}
