//! The types that a field of a form can have.

use serde_json::{Value, json};

use super::choice::{self, ElicitChoice};
use super::form::{Answers, FieldType};
use crate::schema::number::whole;

/// A type that a field of a form can have.
///
/// `String`, `bool`, the numbers up to 64 bits, choices (see [`Elicit`](trait@crate::Elicit)), `Vec` of a choice, and
/// `Option` of each of these implement it. Implement it for a type of your own that is one of these on the wire:
///
/// ```
/// use mcp_runtime::{Elicit, ElicitField};
/// use serde_json::{Value, json};
///
/// struct Iban(String);
///
/// impl ElicitField for Iban {
///     fn schema() -> Value {
///         json!({ "type": "string", "minLength": 15, "maxLength": 34 })
///     }
///
///     fn from_answer(answer: &Value) -> Result<Self, String> {
///         let text = answer.as_str().unwrap_or_default().replace(' ', "");
///         match text.chars().all(|char| char.is_ascii_alphanumeric()) {
///             true => Ok(Self(text)),
///             false => Err("must consist of letters and digits".into()),
///         }
///     }
///
///     fn to_answer(&self) -> Value {
///         self.0.as_str().into()
///     }
/// }
///
/// #[derive(Elicit)]
/// struct Refund {
///     /// The account that the money goes to.
///     account: Iban,
/// }
///
/// let answer = json!({ "account": "DE02 1203-0000 0000 2020 51" });
/// let faults = Refund::from_content(answer.as_object().unwrap()).err().unwrap();
/// assert_eq!(faults[0].to_string(), "account: must consist of letters and digits");
/// ```
#[diagnostic::on_unimplemented(
    message = "a form cannot ask for `{Self}`",
    label = "not text, a number, a `bool`, a choice or a selection",
    note = "a form is flat: the fields of a nested struct, and the parts of a tuple or a map, are fields of the form itself",
    note = "text is `String`; a choice is an enum without data that has `#[derive(Elicit)]`; a list can only be a selection, `Vec` of a choice"
)]
pub trait ElicitField: Sized {
    /// What the type alone says of the schema, within the protocol's subset for forms.
    fn schema() -> Value;

    /// Reads an answer that the whole schema of the field admits.
    ///
    /// # Errors
    ///
    /// What is still wrong, for the person who answers: it continues the sentence "*field*: …".
    fn from_answer(answer: &Value) -> Result<Self, String>;

    /// The answer that would give this value, to be shown as a default.
    fn to_answer(&self) -> Value;

    /// The value of a field that was left out, where the type has one.
    #[doc(hidden)]
    fn left_out() -> Option<Self> {
        None
    }

    /// Tells a form about the type.
    #[doc(hidden)]
    fn describe() -> FieldType {
        FieldType { schema: Self::schema(), optional: Self::left_out().is_some() }
    }

    /// Takes the value from an answer; `None` after noting a fault.
    #[doc(hidden)]
    fn read(answers: &mut Answers<'_>, index: usize) -> Option<Self> {
        answers.read(index)
    }
}

#[diagnostic::do_not_recommend]
impl ElicitField for String {
    fn schema() -> Value {
        json!({ "type": "string" })
    }

    fn from_answer(answer: &Value) -> Result<Self, String> {
        answer.as_str().map(str::to_owned).ok_or_else(|| "must be text".to_owned())
    }

    fn to_answer(&self) -> Value {
        self.as_str().into()
    }
}

#[diagnostic::do_not_recommend]
impl ElicitField for bool {
    fn schema() -> Value {
        json!({ "type": "boolean" })
    }

    fn from_answer(answer: &Value) -> Result<Self, String> {
        answer.as_bool().ok_or_else(|| "must be true or false".to_owned())
    }

    fn to_answer(&self) -> Value {
        (*self).into()
    }
}

macro_rules! integers {
    ($($int:ty: $schema:tt)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl ElicitField for $int {
                fn schema() -> Value {
                    json!($schema)
                }

                fn from_answer(answer: &Value) -> Result<Self, String> {
                    let int = answer.as_number().and_then(whole).and_then(|int| Self::try_from(int).ok());
                    int.ok_or_else(|| format!("must be a whole number from {} to {}", Self::MIN, Self::MAX))
                }

                fn to_answer(&self) -> Value {
                    (*self).into()
                }
            }
        )*
    };
}

// The bounds of 64 bits would only be rounded by clients that compute in doubles.
integers! {
    i8: { "type": "integer", "minimum": i8::MIN, "maximum": i8::MAX }
    i16: { "type": "integer", "minimum": i16::MIN, "maximum": i16::MAX }
    i32: { "type": "integer", "minimum": i32::MIN, "maximum": i32::MAX }
    i64: { "type": "integer" }
    isize: { "type": "integer" }
    u8: { "type": "integer", "minimum": u8::MIN, "maximum": u8::MAX }
    u16: { "type": "integer", "minimum": u16::MIN, "maximum": u16::MAX }
    u32: { "type": "integer", "minimum": u32::MIN, "maximum": u32::MAX }
    u64: { "type": "integer", "minimum": 0 }
    usize: { "type": "integer", "minimum": 0 }
}

#[diagnostic::do_not_recommend]
impl ElicitField for f64 {
    fn schema() -> Value {
        json!({ "type": "number" })
    }

    fn from_answer(answer: &Value) -> Result<Self, String> {
        answer.as_f64().ok_or_else(|| "must be a number".to_owned())
    }

    fn to_answer(&self) -> Value {
        // A whole number is shown as one: 50, not 50.0.
        match serde_json::Number::from_f64(*self).as_ref().and_then(crate::schema::number::exact_integer) {
            Some(int) => int.into(),
            None => (*self).into(),
        }
    }
}

#[diagnostic::do_not_recommend]
impl ElicitField for f32 {
    fn schema() -> Value {
        f64::schema()
    }

    #[allow(clippy::cast_possible_truncation, reason = "the nearest value is what the type can hold")]
    fn from_answer(answer: &Value) -> Result<Self, String> {
        let float = f64::from_answer(answer)? as f32;
        float.is_finite().then_some(float).ok_or_else(|| "is too large a number".to_owned())
    }

    fn to_answer(&self) -> Value {
        // The shortest decimal that means this value: 0.1, not 0.10000000149011612.
        self.to_string().parse().map_or(Value::Null, |float: f64| float.to_answer())
    }
}

#[diagnostic::do_not_recommend]
impl<T: ElicitField> ElicitField for Option<T> {
    fn schema() -> Value {
        T::schema()
    }

    fn from_answer(answer: &Value) -> Result<Self, String> {
        T::from_answer(answer).map(Some)
    }

    fn to_answer(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::to_answer)
    }

    fn left_out() -> Option<Self> {
        Some(None)
    }
}

#[diagnostic::do_not_recommend]
impl<E: ElicitChoice> ElicitField for E {
    fn schema() -> Value {
        choice::single(E::OPTIONS)
    }

    fn from_answer(answer: &Value) -> Result<Self, String> {
        answer.as_str().and_then(E::from_value).ok_or_else(|| "must be one of the choices".to_owned())
    }

    fn to_answer(&self) -> Value {
        self.value().into()
    }
}

#[diagnostic::do_not_recommend]
impl<E: ElicitChoice> ElicitField for Vec<E> {
    fn schema() -> Value {
        choice::multiple(E::OPTIONS)
    }

    fn from_answer(answer: &Value) -> Result<Self, String> {
        let answers = answer.as_array().ok_or_else(|| "must be a list of choices".to_owned())?;
        answers.iter().map(E::from_answer).collect()
    }

    fn to_answer(&self) -> Value {
        self.iter().map(E::to_answer).collect()
    }
}
