//! The seven types of JSON Schema, and which of them a schema admits.
//!
//! JSON Schema Validation 2020-12, section 6.1.1: "String values MUST be one of the six primitive types ("null",
//! "boolean", "object", "array", "number", or "string"), or "integer" which matches any number with a zero fractional
//! part."

use serde_json::Value;

use super::number::is_integral;
use super::reference::resolve;

/// How many references and compositions are followed before a schema counts as one without type information.
const MAX_DEPTH: u8 = 32;

/// A set of types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Types(u8);

impl Types {
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(1 << 1);
    pub(super) const INTEGER: Self = Self(1 << 2);
    /// Every number, so it contains [`Types::INTEGER`].
    pub(super) const NUMBER: Self = Self(1 << 2 | 1 << 3);
    pub(super) const STRING: Self = Self(1 << 4);
    pub(super) const ARRAY: Self = Self(1 << 5);
    pub(super) const OBJECT: Self = Self(1 << 6);
    pub(super) const NONE: Self = Self(0);

    /// The type that a schema calls `name`.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => return None,
        })
    }

    /// The narrowest type of a value: a number without a fractional part is an integer.
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if is_integral(number) => Self::INTEGER,
            Value::Number(_) => Self::NUMBER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// Whether every type of `other` is among these.
    pub(super) fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether a value is of one of these types.
    pub(super) fn admit(self, value: &Value) -> bool {
        self.contains(Self::of(value))
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The types that a `type` keyword names, or the name that is none.
    pub(super) fn of_keyword(keyword: &Value) -> Result<Self, String> {
        let name = |value: &Value| {
            value
                .as_str()
                .and_then(Self::named)
                .ok_or_else(|| format!("{value} is not a type of JSON Schema"))
        };
        match keyword {
            Value::Array(names) => {
                names.iter().try_fold(Self::NONE, |types, value| Ok(types.or(name(value)?)))
            }
            one => name(one),
        }
    }

    /// The types of the values that `schema`, a part of `document`, admits; `None` when it says nothing about types.
    pub(super) fn admitted(schema: &Value, document: &Value) -> Option<Self> {
        Self::admitted_within(schema, document, MAX_DEPTH)
    }

    fn admitted_within(schema: &Value, document: &Value, depth: u8) -> Option<Self> {
        let depth = depth.checked_sub(1)?;
        let map = match schema {
            Value::Bool(false) => return Some(Self::NONE),
            Value::Object(map) => map,
            _ => return None,
        };
        let mut admitted: Option<Self> = None;
        let mut narrow = |types: Option<Self>| {
            if let Some(types) = types {
                admitted = Some(admitted.map_or(types, |before| before.and(types)));
            }
        };
        narrow(map.get("type").and_then(|types| Self::of_keyword(types).ok()));
        narrow(map.get("const").map(Self::of));
        narrow(
            map.get("enum")
                .and_then(Value::as_array)
                .map(|values| values.iter().fold(Self::NONE, |types, value| types.or(Self::of(value)))),
        );
        if let Some(target) =
            map.get("$ref").and_then(Value::as_str).and_then(|reference| resolve(reference, document))
        {
            narrow(Self::admitted_within(target, document, depth));
        }
        for part in map.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            narrow(Self::admitted_within(part, document, depth));
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(branches) = map.get(keyword).and_then(Value::as_array) {
                narrow(branches.iter().try_fold(Self::NONE, |types, branch| {
                    Some(types.or(Self::admitted_within(branch, document, depth)?))
                }));
            }
        }
        admitted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn admitted(schema: &Value) -> Option<Types> {
        Types::admitted(schema, schema)
    }

    #[test]
    fn reads_types_through_composition_and_references() {
        assert_eq!(admitted(&json!({})), None);
        assert_eq!(admitted(&json!({ "minimum": 1 })), None);
        assert_eq!(admitted(&json!({ "type": "number" })), Some(Types::NUMBER));
        assert_eq!(admitted(&json!({ "type": ["string", "null"] })), Some(Types::STRING.or(Types::NULL)));
        assert_eq!(admitted(&json!({ "enum": ["a", 1] })), Some(Types::STRING.or(Types::INTEGER)));
        assert_eq!(
            admitted(&json!({ "anyOf": [{ "type": "array" }, { "type": "object" }] })),
            Some(Types::ARRAY.or(Types::OBJECT))
        );
        assert_eq!(admitted(&json!({ "anyOf": [{ "type": "array" }, {}] })), None);
        assert_eq!(
            admitted(&json!({ "$ref": "#/$defs/a", "$defs": { "a": { "type": "array" } } })),
            Some(Types::ARRAY)
        );
        assert_eq!(admitted(&json!({ "$ref": "#" })), None);
    }

    #[test]
    fn a_whole_number_is_an_integer_however_it_is_written() {
        assert!(Types::INTEGER.admit(&json!(3.0)));
        assert!(!Types::INTEGER.admit(&json!(3.5)));
        assert!(Types::NUMBER.admit(&json!(3)));
    }
}
