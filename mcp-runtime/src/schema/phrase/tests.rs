use super::*;
use serde_json::json;

#[test]
fn schemas_in_words() {
    for (schema, words) in [
        (json!({ "type": "integer", "minimum": 1, "maximum": 14 }), "an integer from 1 to 14"),
        (json!({ "type": "integer" }), "an integer"),
        (
            json!({ "type": "number", "exclusiveMinimum": 0, "maximum": 1.5 }),
            "a number greater than 0 and at most 1.5",
        ),
        (
            json!({ "type": "integer", "minimum": 0, "multipleOf": 5 }),
            "an integer of at least 0 that is a multiple of 5",
        ),
        (json!({ "type": "string", "maxLength": 10 }), "a string of at most 10 characters"),
        (json!({ "type": "string", "minLength": 1, "maxLength": 1 }), "a string of exactly 1 character"),
        (json!({ "type": "string", "pattern": "^[a-z]+$" }), "a string matching ^[a-z]+$"),
        (json!({ "type": "string", "format": "date-time" }), "a string in the format date-time"),
        (json!({ "type": "string", "enum": ["metric", "imperial"] }), "one of \"metric\", \"imperial\""),
        (json!({ "const": "circle" }), "\"circle\""),
        (json!({ "type": "boolean" }), "true or false"),
        (json!({ "type": ["integer", "null"] }), "an integer or null"),
        (json!({ "type": "array", "items": { "type": "string" } }), "an array of strings"),
        (json!({ "type": "array", "items": {} }), "an array"),
        (
            json!({ "type": "array", "items": { "type": "string", "enum": ["a", "b"] } }),
            "an array of strings, each one of \"a\", \"b\"",
        ),
        (
            json!({ "type": "array", "items": { "type": "integer" }, "minItems": 1, "maxItems": 3, "uniqueItems": true }),
            "an array of 1 to 3 integers, none of them twice",
        ),
        (
            json!({ "type": "array", "prefixItems": [{ "type": "integer" }, { "type": "string" }] }),
            "an array [an integer, a string]",
        ),
        (json!({ "type": "object", "required": ["a", "b"] }), "an object with `a`, `b`"),
        (
            json!({ "type": "object", "additionalProperties": { "type": "integer" } }),
            "an object whose values are integers",
        ),
        (
            json!({ "oneOf": [
            { "type": "object", "properties": { "kind": { "enum": ["circle"] } }, "required": ["kind", "r"] },
            { "type": "string" },
        ] }),
            "an object with `kind`: \"circle\", `r` or a string",
        ),
        (json!({ "not": { "const": 0 } }), "anything but 0"),
        (json!({ "maximum": 3 }), "a number of at most 3"),
        (json!({}), "any value"),
        (json!(false), "nothing"),
        (json!({ "$ref": "#" }), "any value"),
    ] {
        assert_eq!(phrase(&schema, &schema), words, "{schema}");
    }
}

#[test]
fn long_lists_are_cut() {
    let values: Vec<Value> = (0..20).map(Value::from).collect();
    assert_eq!(one_of(&values), "one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, …");
}
