//! What is wrong with an answer.

use std::borrow::Cow;
use std::fmt;

/// One thing that is wrong with an answer, in words for the person who gave it.
///
/// Shown, it is one line that begins with the title of the field, or its name where it has no title:
/// `Age: must be at least 18, not 17`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElicitFault {
    field: Cow<'static, str>,
    title: Option<&'static str>,
    problem: String,
}

impl ElicitFault {
    /// A fault in the field of this name; `problem` continues a sentence that the name begins.
    pub fn new(field: impl Into<Cow<'static, str>>, problem: impl Into<String>) -> Self {
        Self { field: field.into(), title: None, problem: problem.into() }
    }

    pub(super) fn titled(self, title: Option<&'static str>) -> Self {
        Self { title, ..self }
    }

    /// The name of the field on the wire.
    pub fn field(&self) -> &str {
        &self.field
    }

    /// What is wrong, without the field.
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl fmt::Display for ElicitFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.title.unwrap_or(&self.field), self.problem)
    }
}

impl std::error::Error for ElicitFault {}
