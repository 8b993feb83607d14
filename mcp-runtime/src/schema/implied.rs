//! Which bounds an author stated, and which the Rust type implies.
//!
//! schemars writes `minimum: 0, maximum: 255` for a `u8`. That is worth publishing, but not worth checking: serde
//! refuses 256 by itself. Once normalised, such a bound cannot be told from one that an author stated, because the
//! `format` which gives the type away is gone; so the type's own bounds are taken out of a copy before that.

use serde_json::{Map, Value};

use super::walk::each_child_mut;

/// What schemars writes for the integer types: the format, and the bounds that come with it.
const INTEGERS: [(&str, Option<i64>, Option<i64>); 12] = [
    ("int8", Some(-128), Some(127)),
    ("int16", Some(-32_768), Some(32_767)),
    ("int32", None, None),
    ("int64", None, None),
    ("int128", None, None),
    ("int", None, None),
    ("uint8", Some(0), Some(255)),
    ("uint16", Some(0), Some(65_535)),
    ("uint32", Some(0), None),
    ("uint64", Some(0), None),
    ("uint128", Some(0), None),
    ("uint", Some(0), None),
];

/// The patterns that schemars writes for the keys of a map whose keys are integers.
const INTEGER_KEYS: [&str; 2] = [r"^\d+$", r"^-?\d+$"];

/// Whether `format` is the name of a Rust number type, which says nothing to a client.
pub(super) fn is_number_format(format: &str) -> bool {
    ["float", "double"].contains(&format) || INTEGERS.iter().any(|(name, ..)| *name == format)
}

/// Whether `pattern` is what schemars writes for the keys of a map whose keys are integers.
pub(super) fn is_integer_key(pattern: &str) -> bool {
    INTEGER_KEYS.contains(&pattern)
}

/// Takes out of a schema, as schemars generates it, every bound that serde keeps by itself: the range of an integer
/// type and the length of a tuple.
///
/// A bound that an author stated and that happens to be the type's own is taken out as well, soundly: serde refuses
/// the same values.
pub(super) fn remove_implied(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    if let Some((_, minimum, maximum)) = map
        .get("format")
        .and_then(Value::as_str)
        .and_then(|format| INTEGERS.iter().find(|(name, ..)| *name == format))
    {
        remove_if_equal(map, "minimum", *minimum);
        remove_if_equal(map, "maximum", *maximum);
    }
    let length = map.get("prefixItems").and_then(Value::as_array).map(Vec::len);
    if let Some(length) = length.and_then(|length| i64::try_from(length).ok())
        && map.get("minItems").and_then(Value::as_i64) == Some(length)
        && map.get("maxItems").and_then(Value::as_i64) == Some(length)
    {
        map.shift_remove("minItems");
        map.shift_remove("maxItems");
    }
    each_child_mut(map, |_, child| remove_implied(child));
}

/// Takes `keyword` out when its value is `bound`.
fn remove_if_equal(map: &mut Map<String, Value>, keyword: &str, bound: Option<i64>) {
    if bound.is_some() && map.get(keyword).and_then(Value::as_i64) == bound {
        map.shift_remove(keyword);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_types_own_bounds_go() {
        let mut schema = json!({
            "properties": {
                "a": { "type": "integer", "format": "uint8", "minimum": 0, "maximum": 255 },
                "b": { "type": "integer", "format": "uint8", "minimum": 1, "maximum": 255 },
                "c": { "type": "integer", "minimum": 0 },
                "d": { "type": ["integer", "null"], "format": "uint32", "minimum": 0, "maximum": 9 },
                "e": { "prefixItems": [{}, {}], "minItems": 2, "maxItems": 2 },
                "f": { "items": { "type": "integer", "format": "int16", "minimum": -32768, "maximum": 10 } },
            },
        });
        remove_implied(&mut schema);
        assert_eq!(
            schema,
            json!({
                "properties": {
                    "a": { "type": "integer", "format": "uint8" },
                    "b": { "type": "integer", "format": "uint8", "minimum": 1 },
                    "c": { "type": "integer", "minimum": 0 },
                    "d": { "type": ["integer", "null"], "format": "uint32", "maximum": 9 },
                    "e": { "prefixItems": [{}, {}] },
                    "f": { "items": { "type": "integer", "format": "int16", "maximum": 10 } },
                },
            })
        );
    }
}
