use super::*;
use serde_json::json;

/// What a schema written by hand finds wrong, as "path: got X, expected Y".
fn whole(schema: &Value, value: &Value) -> Vec<String> {
    found(schema, value, Trust::Whole)
}

/// What the stated bounds of a schema find wrong.
fn stated(schema: &Value, value: &Value) -> Vec<String> {
    found(schema, value, Trust::Decoded)
}

fn found(schema: &Value, value: &Value, trust: Trust) -> Vec<String> {
    let Some(check) = Check::compile(schema, trust).unwrap() else {
        return Vec::new();
    };
    check
        .run(value)
        .into_iter()
        .map(|Violation { path, got, expected }| format!("{path}: {got}, {expected}"))
        .collect()
}

fn error(schema: &Value) -> String {
    Check::compile(schema, Trust::Whole).unwrap_err()
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table, one row a keyword")]
fn every_assertion_of_the_vocabulary() {
    for (schema, good, bad) in [
        (json!({ "type": "integer" }), json!(3.0), json!(3.5)),
        (json!({ "type": ["string", "null"] }), json!(null), json!(1)),
        (json!({ "enum": [1, "a"] }), json!(1.0), json!("b")),
        (json!({ "const": { "a": [1] } }), json!({ "a": [1.0] }), json!({ "a": [2] })),
        (json!({ "minimum": 3 }), json!("x"), json!(2.9)),
        (
            json!({ "maximum": 9_007_199_254_740_992_u64 }),
            json!(9_007_199_254_740_992_u64),
            json!(9_007_199_254_740_993_u64),
        ),
        (json!({ "exclusiveMinimum": 0 }), json!(0.1), json!(0)),
        (json!({ "exclusiveMaximum": 5 }), json!(4), json!(5.0)),
        (json!({ "multipleOf": 0.01 }), json!(19.99), json!(0.005)),
        (json!({ "minLength": 2 }), json!("éé"), json!("é")),
        (json!({ "maxLength": 2 }), json!("日本"), json!("日本語")),
        (json!({ "pattern": "b" }), json!("abc"), json!("ac")),
        (json!({ "minItems": 1 }), json!([0]), json!([])),
        (json!({ "maxItems": 1.0 }), json!([0]), json!([0, 0])),
        (json!({ "uniqueItems": true }), json!([1, "1"]), json!([1, 1.0])),
        (json!({ "minProperties": 1 }), json!({ "a": 1 }), json!({})),
        (json!({ "maxProperties": 1 }), json!({ "a": 1 }), json!({ "a": 1, "b": 1 })),
        (json!({ "required": ["a"] }), json!({ "a": null }), json!({ "b": 1 })),
        (json!({ "properties": { "a": { "type": "string" } } }), json!({ "b": 1 }), json!({ "a": 1 })),
        (
            json!({ "patternProperties": { "^x": { "type": "string" } } }),
            json!({ "ax": 1 }),
            json!({ "xa": 1 }),
        ),
        (
            json!({ "properties": { "a": {} }, "additionalProperties": false }),
            json!({ "a": 1 }),
            json!({ "b": 1 }),
        ),
        (json!({ "propertyNames": { "pattern": "^[a-z]+$" } }), json!({ "a": 1 }), json!({ "A": 1 })),
        (json!({ "dependentRequired": { "a": ["b"] } }), json!({ "b": 1 }), json!({ "a": 1 })),
        (json!({ "dependentSchemas": { "a": { "required": ["b"] } } }), json!({ "c": 1 }), json!({ "a": 1 })),
        (json!({ "items": { "type": "string" } }), json!(["a"]), json!([1])),
        (json!({ "prefixItems": [{ "type": "string" }], "items": false }), json!(["a"]), json!(["a", 1])),
        (json!({ "contains": { "const": 1 }, "minContains": 2 }), json!([1, 1, 2]), json!([1, 2])),
        (json!({ "contains": { "const": 1 }, "maxContains": 1 }), json!([1, 2]), json!([1, 1])),
        (json!({ "contains": { "const": 1 } }), json!([1]), json!([])),
        (json!({ "allOf": [{ "minimum": 1 }, { "maximum": 3 }] }), json!(2), json!(4)),
        (json!({ "anyOf": [{ "type": "string" }, { "minimum": 1 }] }), json!(2), json!(0)),
        (json!({ "oneOf": [{ "multipleOf": 2 }, { "multipleOf": 3 }] }), json!(4), json!(6)),
        (json!({ "not": { "type": "null" } }), json!(1), json!(null)),
        (
            json!({ "if": { "minimum": 10 }, "then": { "multipleOf": 10 }, "else": { "maximum": 5 } }),
            json!(20),
            json!(7),
        ),
        (json!({ "$ref": "#/$defs/a", "$defs": { "a": { "type": "string" } } }), json!("x"), json!(1)),
        (
            json!({ "properties": { "n": { "$ref": "#" } }, "additionalProperties": false }),
            json!({ "n": { "n": {} } }),
            json!({ "n": { "m": 1 } }),
        ),
        (
            json!({ "$defs": { "a": { "$anchor": "here", "type": "string" } }, "items": { "$ref": "#here" } }),
            json!(["a"]),
            json!([1]),
        ),
        (
            json!({ "allOf": [{ "properties": { "a": {} } }], "properties": { "b": {} }, "unevaluatedProperties": false }),
            json!({ "a": 1, "b": 1 }),
            json!({ "c": 1 }),
        ),
        (
            json!({ "anyOf": [{ "prefixItems": [{ "const": 1 }] }], "unevaluatedItems": false }),
            json!([1]),
            json!([1, 2]),
        ),
        (json!({ "properties": { "a": false } }), json!({}), json!({ "a": 1 })),
        (json!(false), json!("nothing to see"), json!(1)),
    ] {
        if schema != json!(false) {
            assert_eq!(whole(&schema, &good), Vec::<String>::new(), "{schema} admits {good}");
        }
        assert_ne!(whole(&schema, &bad), Vec::<String>::new(), "{schema} refuses {bad}");
    }
}

#[test]
fn all_violations_are_told_with_their_place() {
    let schema = json!({
        "type": "object",
        "properties": {
            "days": { "type": "integer", "minimum": 1, "maximum": 14 },
            "tags": { "type": "array", "items": { "type": "string", "pattern": "^[a-z]+$" } },
            "unit": { "type": "string", "enum": ["metric", "imperial"] },
        },
        "required": ["days", "unit"],
        "additionalProperties": false,
    });
    assert_eq!(
        whole(&schema, &json!({ "days": 42, "tags": ["a", "B", 3], "uni": 1 })),
        [
            "unit: missing, one of \"metric\", \"imperial\"",
            "days: 42, an integer from 1 to 14",
            "tags[1]: \"B\", a string matching ^[a-z]+$",
            "tags[2]: 3, a string matching ^[a-z]+$",
            "uni: 1, no property of this name (there are: `days`, `tags`, `unit`)",
        ]
    );
    let many: Vec<u32> = (0..1000).collect();
    assert_eq!(whole(&json!({ "items": { "type": "string" } }), &json!(many)).len(), MAX_VIOLATIONS);
}

#[test]
fn of_a_composition_the_branch_that_was_meant_speaks() {
    let shape = json!({ "oneOf": [
        {
            "type": "object",
            "properties": { "kind": { "type": "string", "enum": ["circle"] }, "radius": { "type": "number" } },
            "required": ["kind", "radius"],
        },
        {
            "type": "object",
            "properties": { "kind": { "type": "string", "enum": ["square"] }, "side": { "type": "number" } },
            "required": ["kind", "side"],
        },
    ] });
    let is = |value: Value| whole(&shape, &value);
    assert_eq!(is(json!({ "kind": "circle", "radius": "x" })), ["radius: \"x\", a number"]);
    assert_eq!(is(json!({ "kind": "circle", "side": 1 })), ["radius: missing, a number"]);
    assert_eq!(is(json!({ "kind": "cube" })), ["kind: \"cube\", one of \"circle\", \"square\""]);
    assert_eq!(is(json!({ "radius": 1 })), ["kind: missing, one of \"circle\", \"square\""]);
    assert_eq!(
        is(json!(3)),
        [": 3, an object with `kind`: \"circle\", `radius` or an object with `kind`: \"square\", `side`"]
    );
    let external = json!({ "oneOf": [
        { "type": "string", "enum": ["none"] },
        { "type": "object", "properties": { "a": { "type": "integer" } }, "required": ["a"], "additionalProperties": false },
        { "type": "object", "properties": { "b": { "type": "string" } }, "required": ["b"], "additionalProperties": false },
    ] });
    assert_eq!(whole(&external, &json!({ "a": "x" })), ["a: \"x\", an integer"]);
    assert_eq!(
        whole(&external, &json!("some")),
        [": \"some\", \"none\" or an object with `a` or an object with `b`"]
    );
    assert_eq!(
        whole(&json!({ "oneOf": [{ "multipleOf": 2 }, { "multipleOf": 3 }] }), &json!(6)),
        [
            ": 6, a value that fits only one of: a number that is a multiple of 2 or a number that is a multiple of 3"
        ]
    );
}

#[test]
fn nothing_stated_costs_nothing() {
    for schema in [
        json!({}),
        json!({ "type": "integer" }),
        json!({
            "type": "object",
            "properties": {
                "a": { "type": "string", "enum": ["minimum"], "format": "date-time" },
                "minimum": { "type": "array", "items": { "type": "number" } },
                "tree": { "$ref": "#/$defs/Tree" },
            },
            "required": ["a"],
            "additionalProperties": false,
            "$defs": { "Tree": { "type": "object", "properties": { "next": { "$ref": "#/$defs/Tree" } } } },
        }),
        json!({ "oneOf": [{ "type": "string" }, { "type": "object", "required": ["a"] }] }),
    ] {
        assert!(Check::compile(&schema, Trust::Decoded).unwrap().is_none(), "{schema}");
    }
}

#[test]
fn of_a_decoded_value_only_the_bounds_are_checked() {
    let schema = json!({
        "type": "object",
        "properties": {
            "days": { "type": "integer", "maximum": 14 },
            "name": { "type": "string" },
            "list": { "type": "array", "items": { "type": "string", "maxLength": 2 }, "minItems": 1 },
            "map": { "type": "object", "additionalProperties": { "type": "integer", "minimum": 1 } },
        },
        "required": ["name"],
        "additionalProperties": false,
    });
    assert_eq!(
        stated(&schema, &json!({ "days": 15, "list": ["abc"], "map": { "x": 0 }, "other": 1 })),
        [
            "days: 15, an integer of at most 14",
            "list[0]: \"abc\", a string of at most 2 characters",
            "map.x: 0, an integer of at least 1",
        ]
    );
    assert_eq!(
        stated(&schema, &json!({ "days": null, "name": 3, "list": [] })),
        ["list: [], an array of at least 1 string"]
    );
}

#[test]
fn a_decoded_variant_is_told_by_its_shape() {
    let schema = json!({ "oneOf": [
        {
            "type": "object",
            "properties": {
                "kind": { "type": "string", "enum": ["circle"] },
                "size": { "type": "number", "maximum": 5 },
                "label": { "type": "string", "maxLength": 3 },
            },
            "required": ["kind", "size"],
        },
        {
            "type": "object",
            "properties": { "kind": { "type": "string", "enum": ["square"] }, "size": { "type": "number", "maximum": 9 } },
            "required": ["kind", "size"],
        },
    ] });
    let none: [&str; 0] = [];
    assert_eq!(stated(&schema, &json!({ "kind": "square", "size": 7 })), none);
    assert_eq!(stated(&schema, &json!({ "kind": "circle", "size": 7 })), ["size: 7, a number of at most 5"]);
    // serde takes `null` for an `Option`, which the published schema does not mention.
    assert_eq!(
        stated(&schema, &json!({ "kind": "circle", "size": 7, "label": null })),
        ["size: 7, a number of at most 5"]
    );
    assert_eq!(stated(&schema, &json!({ "kind": "circle", "size": 5, "label": null })), none);
    // A shape that no branch has was decoded all the same, so there is nothing to hold against it.
    assert_eq!(stated(&schema, &json!("circle")), none);
}

#[test]
fn recursion_in_values_is_followed_and_in_schemas_bounded() {
    let tree = json!({
        "$ref": "#/$defs/Tree",
        "$defs": { "Tree": {
            "type": "object",
            "properties": {
                "size": { "type": "integer", "maximum": 3 },
                "children": { "type": "array", "items": { "$ref": "#/$defs/Tree" } },
            },
        } },
    });
    let value = json!({ "children": [{ "size": 1, "children": [{ "size": 4 }] }] });
    assert_eq!(stated(&tree, &value), ["children[0].children[0].size: 4, an integer of at most 3"]);
    let endless = json!({ "allOf": [{ "$ref": "#" }, { "$ref": "#" }] });
    assert_eq!(whole(&endless, &json!(1)), Vec::<String>::new(), "it asserts nothing");
    let endless = json!({ "minimum": 0, "allOf": [{ "$ref": "#" }, { "$ref": "#" }] });
    assert_eq!(whole(&endless, &json!(1)), [": 1, a smaller value: this one takes too long to check"]);
}

#[test]
fn a_schema_that_cannot_be_enforced_says_why() {
    for (schema, fault) in [
        (
            json!({ "properties": { "a": { "$ref": "https://example.com/a.json" } } }),
            "in the schema at `properties/a`: `$ref` to `https://example.com/a.json` leads out of this schema, and nothing is fetched; put the target into `$defs`",
        ),
        (json!({ "$ref": "#/$defs/a" }), "`$ref` to `#/$defs/a` names nothing in this schema"),
        (
            json!({ "$schema": "http://json-schema.org/draft-07/schema#" }),
            "the schema's dialect `http://json-schema.org/draft-07/schema#` is not supported; write it in JSON Schema 2020-12 and leave `$schema` out",
        ),
        (
            json!({ "items": { "type": "text" } }),
            "in the schema at `items`: `type`: \"text\" is not a type of JSON Schema",
        ),
        (json!({ "minLength": -1 }), "`minLength` must be an integer, 0 or greater, not -1"),
        (json!({ "multipleOf": 0 }), "`multipleOf` must be a number greater than 0, not 0"),
        (json!({ "anyOf": [] }), "`anyOf` must be a list of schemas, not []"),
        (json!({ "items": [{}] }), "in the schema at `items`: a schema is an object, not [{}]"),
        (json!({ "$dynamicRef": "#a" }), "`$dynamicRef` is not supported; use `$ref`"),
        (
            json!({ "items": { "$id": "inner", "items": { "$ref": "#" } } }),
            "in the schema at `items`: a `$ref` inside of a schema with an `$id` of its own is not supported; leave the `$id` out",
        ),
    ] {
        assert_eq!(error(&schema), fault);
    }
    let invalid = error(&json!({ "properties": { "a": { "pattern": "[" } } }));
    assert!(
        invalid.starts_with("in the schema at `properties/a`: the pattern `[` cannot be used: "),
        "{invalid}"
    );
    assert!(
        Check::compile(
            &json!({ "$schema": "https://json-schema.org/draft/2020-12/schema#", "type": "null" }),
            Trust::Whole
        )
        .is_ok()
    );
}
