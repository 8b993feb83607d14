//! What a type is when the client does not send it.
//!
//! Serde's own rule for a missing field, so that `Option`, an alias of it and a type that deserialises as
//! one are all optional, and nothing depends on how a type is spelled.

use serde::de::value::Error;
use serde::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde_json::Value;

use crate::schema::repair;

/// The type's value for "not given", as `None` is for `Option`.
pub(crate) fn value_of_absent<'de, T: Deserialize<'de>>() -> Option<T> {
    T::deserialize(Absent).ok()
}

/// Whether the type has a value for "not given".
pub(crate) fn is_optional<'de, T: Deserialize<'de>>() -> bool {
    value_of_absent::<T>().is_some()
}

/// Whether a value was sent for "not given": models and typed clients send null, and clients that cannot send null
/// its name, which means nothing else where `schema` admits no text.
pub(super) fn stands_for_nothing(json: &str, schema: &Value) -> bool {
    json == "null" || json == "\"null\"" && repair::is_nothing(&Value::from("null"), schema, schema)
}

struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("missing"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_none()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_options_are_optional() {
        type Maybe = Option<u32>;
        assert!(is_optional::<Maybe>());
        assert!(is_optional::<Option<&str>>());
        assert!(!is_optional::<u32>());
        assert!(!is_optional::<serde_json::Value>());
    }
}
