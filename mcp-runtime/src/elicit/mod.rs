//! Forms: what is asked of the person behind the client (client/elicitation), and the answer as a value.

mod choice;
mod default;
mod fault;
mod field;
mod form;
mod format;
mod keys;
mod problem;

pub use choice::{ElicitChoice, ElicitOption};
pub use default::ElicitDefault;
pub use fault::ElicitFault;
pub use field::ElicitField;
pub use form::{Answers, FieldType, FormField, Limit, requested_schema};
pub(crate) use format::is_uri;
pub use keys::{ElicitNumber, ElicitSelection, ElicitText};

use serde_json::{Map, Value};

/// The `content` of an answer: the answers by the names of their fields.
pub type Content = Map<String, Value>;

/// A form that a handler can ask the person behind the client to fill in.
///
/// `#[derive(Elicit)]` on a struct makes its fields the questions of the form. The protocol keeps forms flat, so that
/// every client can show them; a field is text (`String`), a number, a `bool`, a choice (an enum without data that
/// derives `Elicit` too), a selection (`Vec` of a choice), or `Option` of one of these, which can be left out.
///
/// ```
/// use mcp_runtime::prelude::*;
/// use serde_json::json;
///
/// #[derive(Elicit)]
/// struct Booking {
///     /// Where the ticket is sent.
///     #[elicit(title = "E-mail", format = "email")]
///     email: String,
///     #[elicit(range(1..=9), default = 1)]
///     seats: u8,
///     meal: Option<Meal>,
/// }
///
/// #[derive(Elicit, Debug, PartialEq)]
/// #[elicit(rename_all = "snake_case")]
/// enum Meal {
///     /// With meat
///     Meat,
///     /// Without anything from animals
///     Vegan,
/// }
///
/// assert_eq!(
///     Booking::requested_schema(),
///     json!({
///         "type": "object",
///         "properties": {
///             "email": {
///                 "type": "string",
///                 "title": "E-mail",
///                 "description": "Where the ticket is sent.",
///                 "format": "email"
///             },
///             "seats": { "type": "integer", "minimum": 1, "maximum": 9, "default": 1 },
///             "meal": {
///                 "type": "string",
///                 "oneOf": [
///                     { "const": "meat", "title": "With meat" },
///                     { "const": "vegan", "title": "Without anything from animals" }
///                 ]
///             }
///         },
///         "required": ["email"]
///     })
/// );
///
/// let answer = json!({ "email": "mona@example.com", "meal": "vegan" });
/// let booking = Booking::from_content(answer.as_object().unwrap()).unwrap();
/// assert_eq!((booking.seats, booking.meal), (1, Some(Meal::Vegan)));
///
/// let answer = json!({ "email": "mona", "seats": 12 });
/// let faults = Booking::from_content(answer.as_object().unwrap()).err().unwrap();
/// let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
/// assert_eq!(
///     told,
///     [
///         "E-mail: must be an e-mail address like name@example.com, not \"mona\"",
///         "seats: must be from 1 to 9, not 12",
///     ]
/// );
/// ```
///
/// # What a field says
///
/// The doc comment of a field is its description. `#[elicit(..)]` says the rest:
///
/// | key | what |
/// | --- | --- |
/// | `title = ".."` | what the form shows in the place of the name |
/// | `description = ".."` | in the place of the doc comment |
/// | `default = ..` | what the form begins with, and what a field has that is not answered; an `Option` that is not answered stays `None`, since a person can clear it |
/// | `range(1..=9)` | of a number; the protocol has no other bounds than inclusive ones |
/// | `length(..=80)` | of a text, in characters |
/// | `items(1..=2)` | how many choices of a selection |
/// | `format = ".."` | of a text: `email`, `uri`, `date` or `date-time` |
/// | `rename = ".."` | the name on the wire, in the place of the field's own |
///
/// On the struct, `#[elicit(rename_all = "camelCase")]` renames every field as serde does, and `crate = ..` says where
/// the runtime is found.
///
/// # Choices
///
/// An enum is a choice of its variants. `#[elicit(title = "..")]`, or else the doc comment, is what the person
/// sees (the protocol has no description of a single choice); `rename` and `rename_all` give the value on the wire,
/// which is otherwise the variant's name. A choice where one variant has a title is a titled one, and its other
/// variants show their names.
///
/// # Secrets
///
/// "Servers MUST NOT use form mode elicitation to request sensitive information such as passwords, API keys, access
/// tokens, or payment credentials": send the person to a page of yours by URL mode instead.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a form",
    label = "not a struct with `#[derive(Elicit)]`",
    note = "a choice alone is asked as the one field of a struct that derives `Elicit`"
)]
pub trait Elicit: Sized {
    /// The `requestedSchema`: a flat object, within the subset of JSON Schema that the protocol has for forms.
    fn requested_schema() -> Value;

    /// Reads the `content` of an accepted answer. What nobody asked for is ignored.
    ///
    /// # Errors
    ///
    /// Everything in the answer that is not what was asked, in the order of the fields.
    fn from_content(content: &Content) -> Result<Self, Vec<ElicitFault>>;
}

#[cfg(test)]
mod tests;
