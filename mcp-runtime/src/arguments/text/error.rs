//! What to tell someone whose text does not say what the parameter takes.

use std::fmt::{self, Display, Write as _};

use serde::de::{Error, Expected, Unexpected};

use crate::arguments::lend::Failure;
use crate::schema::path::Path;

/// How much of the text that came an error repeats, in characters.
const SHOWN: usize = 60;

/// Why a text could not be read: a clause without a full stop, such as `expected an integer, got "abc"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextError {
    message: String,
    path: Path,
}

impl TextError {
    /// `what` was expected and `text` came.
    pub(super) fn expected(what: &dyn Display, text: &str) -> Self {
        Self::custom(format_args!("expected {what}, got {}", quote(text)))
    }

    /// The text is not the JSON that was expected, or its content does not fit.
    pub(super) fn json(what: &str, text: &str, failure: Failure) -> Self {
        let Failure { error, path } = failure;
        if error.is_data() {
            Self { message: error.to_string(), path }
        } else {
            Self::custom(format_args!("expected {what}, got {} ({error})", quote(text)))
        }
    }

    /// Where in the JSON that the text is it went wrong; empty where the text is not JSON.
    pub(crate) fn path(&self) -> &Path {
        &self.path
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
        Self { message: message.to_string(), path: Path::default() }
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
