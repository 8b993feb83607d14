//! Validation of a value against a schema.
//!
//! A schema is compiled once, when the server starts, and says then what is wrong with itself. What remains at run time
//! is a walk over the value.
//!
//! Two kinds of schema need two kinds of checking, see [`Trust`]. Both say *every* place that is wrong, up to
//! [`MAX_VIOLATIONS`], because a model that is told of all its mistakes puts them right in one go.
//!
//! `format` and the `content…` keywords are annotations and not enforced (Validation 2020-12, sections 7.2 and 8);
//! `$dynamicRef`, and `$ref` under an `$id` of its own, are refused at compile time. The work for one value is bounded,
//! as the specification asks for ("JSON Schema Usage", *Composition-Keyword Resource Use*).

use serde_json::Value;

use super::path::Path;

mod assertions;
mod choice;
mod compile;
mod keyword;
mod run;

/// How many violations are reported of one value.
pub(crate) const MAX_VIOLATIONS: usize = 20;

/// What [`Violation::got`] is when a required member is not there. No value looks like it: a string has quotes.
pub(crate) const MISSING: &str = "missing";

/// How much of a schema has to be enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// The schema was generated from a Rust type, and the value is one that serde decodes to this type. Only what
    /// serde does not know is checked: bounds, lengths, patterns. Compile it from
    /// [`Generated::stated`](super::normalize::Generated::stated).
    Decoded,
    /// The schema was written by hand: all of it is checked.
    Whole,
}

/// One place in a value that its schema does not admit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violation {
    /// Where.
    pub(crate) path: Path,
    /// The value there, as JSON and cut after 60 characters, or [`MISSING`].
    pub(crate) got: String,
    /// What completes the sentence "expected …".
    pub(crate) expected: String,
}

/// A compiled schema.
#[derive(Debug)]
pub(crate) struct Check {
    nodes: Vec<keyword::Node>,
    root: keyword::Id,
}

impl Check {
    /// Compiles `schema`. `None` when there is nothing to check, so that a tool whose author states no bounds pays for
    /// none.
    ///
    /// # Errors
    ///
    /// A sentence for the author: a reference that leads nowhere or out of the document, a dialect other than 2020-12,
    /// a pattern that is none, a keyword whose value makes no sense.
    pub(crate) fn compile(schema: &Value, trust: Trust) -> Result<Option<Self>, String> {
        Self::compile_part(schema, schema, trust)
    }

    /// Compiles `schema`, whose references are those of `document`.
    pub(super) fn compile_part(
        schema: &Value,
        document: &Value,
        trust: Trust,
    ) -> Result<Option<Self>, String> {
        let compiled = compile::compile(schema, document, trust)?;
        Ok(compiled.map(|(nodes, root)| Self { nodes, root }))
    }

    /// Every place in `value` that the schema does not admit; empty when it admits the value.
    pub(crate) fn run(&self, value: &Value) -> Vec<Violation> {
        run::run(&self.nodes, self.root, value, &mut { run::MAX_STEPS })
    }

    /// Whether the schema admits `value`, as far as that can be told in so many steps; takes off what it needed.
    pub(crate) fn admits_within(&self, value: &Value, steps: &mut u32) -> bool {
        run::run(&self.nodes, self.root, value, steps).is_empty()
    }
}

#[cfg(test)]
mod tests;
