//! JSON Schema on both sides of a call: what is published, and what is enforced.
//!
//! A parameter's type gives a schema that every client accepts ([`normalize`], [`merge`]); the bounds which its
//! author stated are enforced on what arrives ([`check`]); what a model sent in a slightly wrong form is put right
//! where that cannot be mistaken ([`repair`]); and what remains wrong is said in a sentence ([`explain`]).
//!
//! Schemas follow [JSON Schema 2020-12](https://json-schema.org/draft/2020-12/json-schema-validation), the dialect
//! that the specification makes the default ("JSON Schema Usage", *Schema Dialect*).

pub(crate) mod check;
pub(crate) mod explain;
pub(crate) mod header;
mod implied;
mod inline;
pub(crate) mod merge;
pub(crate) mod nearest;
pub(crate) mod normalize;
pub(crate) mod number;
pub(crate) mod path;
mod phrase;
mod place;
mod reference;
pub(crate) mod repair;
mod serde_error;
mod types;
mod variants;
mod walk;
