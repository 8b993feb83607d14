use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::*;
use crate::schema::check::{Check, Trust};
use serde::{Deserialize, Serialize};

/// Unit system.
#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Units {
    /// Celsius
    Metric,
    /// Fahrenheit
    Imperial,
}

#[derive(JsonSchema, Serialize, Deserialize)]
enum Plain {
    A,
    B,
}

/// A place.
#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    /// Its name.
    city_name: String,
    /// Metres.
    altitude: Option<i32>,
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Node {
    #[schemars(range(max = 9))]
    size: u8,
    next: Option<Box<Node>>,
    children: Vec<Node>,
}

/// A wrapper.
#[derive(JsonSchema, Serialize, Deserialize)]
struct Meters(u64);

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    /// Round.
    Circle {
        radius: f64,
    },
    Dot,
    Placed(Place),
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    A(u8),
    B,
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Number(u8),
    Text(String),
    Nothing,
}

#[derive(JsonSchema, Serialize, Deserialize)]
enum External {
    A(u8),
    /// The second.
    B {
        x: bool,
    },
    C,
    /// The fourth.
    D,
}

fn input<T: JsonSchema + ?Sized>() -> Value {
    input_schema_of::<T>()
}

fn output<T: JsonSchema + ?Sized>() -> Value {
    output_schema_of::<T>()
}

fn place(altitude: &Value, required: &Value) -> Value {
    json!({
        "type": "object",
        "description": "A place.",
        "properties": {
            "cityName": { "type": "string", "description": "Its name." },
            "altitude": altitude,
        },
        "required": required,
    })
}

fn units() -> Value {
    json!({
        "type": "string",
        "description": "Unit system.\n- `metric`: Celsius\n- `imperial`: Fahrenheit",
        "enum": ["metric", "imperial"],
    })
}

#[test]
fn c8_scalars() {
    assert_eq!(input::<u32>(), json!({ "type": "integer", "minimum": 0 }));
    assert_eq!(input::<Option<u32>>(), json!({ "type": "integer", "minimum": 0 }));
    assert_eq!(output::<Option<u32>>(), json!({ "type": ["integer", "null"], "minimum": 0 }));
    assert_eq!(input::<Option<Option<u8>>>(), json!({ "type": "integer", "minimum": 0, "maximum": 255 }));
    assert_eq!(input::<i64>(), json!({ "type": "integer" }));
    assert_eq!(input::<i128>(), json!({ "type": "integer" }));
    assert_eq!(input::<u64>(), json!({ "type": "integer", "minimum": 0 }));
    assert_eq!(input::<f32>(), json!({ "type": "number" }));
    assert_eq!(input::<bool>(), json!({ "type": "boolean" }));
    assert_eq!(input::<str>(), json!({ "type": "string" }));
    assert_eq!(input::<&str>(), json!({ "type": "string" }));
    assert_eq!(input::<char>(), json!({ "type": "string", "minLength": 1, "maxLength": 1 }));
    assert_eq!(input::<()>(), json!({ "type": "null" }));
    assert_eq!(input::<Value>(), json!({}));
    assert_eq!(output::<Option<Value>>(), json!({}));
    assert_eq!(input::<Meters>(), json!({ "type": "integer", "description": "A wrapper.", "minimum": 0 }));
    assert_eq!(input::<Box<Meters>>(), input::<Meters>());
    assert_eq!(input::<std::net::Ipv4Addr>(), json!({ "type": "string", "format": "ipv4" }));
}

#[test]
fn c8_enums() {
    assert_eq!(input::<Plain>(), json!({ "type": "string", "enum": ["A", "B"] }));
    assert_eq!(input::<Option<Plain>>(), json!({ "type": "string", "enum": ["A", "B"] }));
    assert_eq!(output::<Option<Plain>>(), json!({ "type": ["string", "null"], "enum": ["A", "B", null] }));
    assert_eq!(input::<Units>(), units());
    assert_eq!(input::<Option<Units>>(), units());
    let mut nullable = units();
    nullable["type"] = json!(["string", "null"]);
    nullable["enum"] = json!(["metric", "imperial", null]);
    assert_eq!(output::<Option<Units>>(), nullable);
}

#[test]
fn a_fields_own_words_come_before_its_types() {
    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema is read")]
    struct Forecast {
        /// What to answer in.
        units: Option<Units>,
        #[schemars(title = "Where")]
        place: Option<Place>,
    }
    let mut own = units();
    own["description"] = json!("What to answer in.\n- `metric`: Celsius\n- `imperial`: Fahrenheit");
    let mut titled = place(&json!({ "type": "integer", "description": "Metres." }), &json!(["cityName"]));
    titled["title"] = json!("Where");
    assert_eq!(
        input::<Forecast>(),
        json!({ "type": "object", "properties": { "units": own, "place": titled } })
    );
}

#[test]
fn c8_structs() {
    #[derive(JsonSchema)]
    struct Empty {}

    let altitude = json!({ "type": "integer", "description": "Metres." });
    assert_eq!(input::<Place>(), place(&altitude, &json!(["cityName"])));
    assert_eq!(input::<Option<Place>>(), input::<Place>());
    let altitude = json!({ "type": ["integer", "null"], "description": "Metres." });
    let written = place(&altitude, &json!(["cityName", "altitude"]));
    assert_eq!(output::<Place>(), written);
    let mut nullable = written;
    nullable["type"] = json!(["object", "null"]);
    assert_eq!(output::<Option<Place>>(), nullable);

    assert_eq!(input::<Empty>(), json!({ "type": "object", "properties": {} }));
}

#[test]
fn c8_collections() {
    let byte = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
    assert_eq!(input::<Vec<String>>(), json!({ "type": "array", "items": { "type": "string" } }));
    assert_eq!(input::<[String]>(), input::<Vec<String>>());
    assert_eq!(input::<Vec<Value>>(), json!({ "type": "array", "items": {} }));
    assert_eq!(input::<Vec<Option<u8>>>(), json!({ "type": "array", "items": byte }));
    assert_eq!(
        output::<Vec<Option<u8>>>(),
        json!({ "type": "array", "items": { "type": ["integer", "null"], "minimum": 0, "maximum": 255 } })
    );
    assert_eq!(input::<BTreeSet<u8>>(), json!({ "type": "array", "items": byte, "uniqueItems": true }));
    assert_eq!(input::<[u8; 2]>(), json!({ "type": "array", "items": byte, "minItems": 2, "maxItems": 2 }));
    assert_eq!(
        input::<(u8, String)>(),
        json!({ "type": "array", "prefixItems": [byte, { "type": "string" }], "items": {}, "minItems": 2, "maxItems": 2 })
    );
    assert_eq!(
        input::<(u8, u8)>(),
        json!({ "type": "array", "prefixItems": [byte, byte], "items": byte, "minItems": 2, "maxItems": 2 })
    );
    assert_eq!(input::<HashMap<String, u8>>(), json!({ "type": "object", "additionalProperties": byte }));
    assert_eq!(input::<HashMap<u32, u8>>(), json!({ "type": "object", "additionalProperties": byte }));
    assert_eq!(
        input::<BTreeMap<Plain, u8>>(),
        json!({ "type": "object", "properties": { "A": byte, "B": byte }, "additionalProperties": false })
    );
    assert_eq!(
        input::<serde_json::Map<String, Value>>(),
        json!({ "type": "object", "additionalProperties": {} })
    );
    assert_eq!(
        input::<BTreeMap<String, Vec<Units>>>(),
        json!({ "type": "object", "additionalProperties": { "type": "array", "items": units() } })
    );
}

#[test]
fn enums_with_data_are_compositions_below_the_root() {
    let byte = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
    let closed = |name: &str, schema: Value| {
        json!({
            "type": "object",
            "properties": { name: schema },
            "required": [name],
            "additionalProperties": false,
        })
    };
    let mut b = closed(
        "B",
        json!({ "type": "object", "properties": { "x": { "type": "boolean" } }, "required": ["x"] }),
    );
    b["description"] = json!("The second.");
    let branches = json!([
        { "type": "string", "description": "- `D`: The fourth.", "enum": ["C", "D"] },
        closed("A", byte.clone()),
        b,
    ]);
    assert_eq!(input::<External>(), json!({ "oneOf": branches }));
    assert_eq!(input::<Option<External>>(), json!({ "oneOf": branches }));
    assert_eq!(output::<Option<External>>(), json!({ "anyOf": [{ "oneOf": branches }, { "type": "null" }] }));
    let mut placed =
        place(&json!({ "type": "integer", "description": "Metres." }), &json!(["kind", "cityName"]));
    placed["properties"]["kind"] = json!({ "type": "string", "enum": ["placed"] });
    assert_eq!(
        input::<Shape>(),
        json!({
            "type": "object",
            "oneOf": [
                {
                    "type": "object",
                    "description": "Round.",
                    "properties": { "kind": { "type": "string", "enum": ["circle"] }, "radius": { "type": "number" } },
                    "required": ["kind", "radius"],
                },
                {
                    "type": "object",
                    "properties": { "kind": { "type": "string", "enum": ["dot"] } },
                    "required": ["kind"],
                },
                placed,
            ],
        })
    );
    assert_eq!(
        input::<Adjacent>(),
        json!({
            "type": "object",
            "oneOf": [
                {
                    "type": "object",
                    "properties": { "t": { "type": "string", "enum": ["A"] }, "c": byte },
                    "required": ["t", "c"],
                },
                {
                    "type": "object",
                    "properties": { "t": { "type": "string", "enum": ["B"] } },
                    "required": ["t"],
                },
            ],
        })
    );
    assert_eq!(input::<Untagged>(), json!({ "anyOf": [byte, { "type": "string" }] }));
    assert_eq!(output::<Untagged>(), json!({ "anyOf": [byte, { "type": "string" }, { "type": "null" }] }));
}

#[test]
fn a_recursive_type_keeps_the_recursive_part() {
    let node = json!({
        "type": "object",
        "properties": {
            "size": { "type": "integer", "minimum": 0, "maximum": 9 },
            "next": { "$ref": "#/$defs/Node" },
            "children": { "type": "array", "items": { "$ref": "#/$defs/Node" } },
        },
        "required": ["size", "children"],
    });
    let mut root = node.clone();
    root["$defs"] = json!({ "Node": node });
    assert_eq!(input::<Node>(), root);
    let next = &output::<Node>()["properties"]["next"];
    assert_eq!(*next, json!({ "anyOf": [{ "$ref": "#/$defs/Node" }, { "type": "null" }] }));
    assert_eq!(
        input::<Vec<Node>>()["items"]["properties"],
        node["properties"],
        "the first level is written out"
    );
}

#[test]
fn defaults_and_bounds_stay() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Query {
        #[serde(default)]
        limit: u8,
        #[serde(default)]
        filter: Option<u8>,
        #[schemars(length(min = 1, max = 3), regex(pattern = "^a"))]
        text: String,
        #[schemars(inner(range(min = 1)))]
        pages: Vec<u8>,
        #[serde(skip_serializing_if = "Option::is_none")]
        skipped: Option<bool>,
    }
    let properties = json!({
        "limit": { "type": "integer", "minimum": 0, "maximum": 255, "default": 0 },
        "filter": { "type": "integer", "minimum": 0, "maximum": 255 },
        "text": { "type": "string", "minLength": 1, "maxLength": 3, "pattern": "^a" },
        "pages": { "type": "array", "items": { "type": "integer", "minimum": 1, "maximum": 255 } },
        "skipped": { "type": "boolean" },
    });
    assert_eq!(
        input::<Query>(),
        json!({
            "type": "object",
            "properties": properties,
            "required": ["text", "pages"],
            "additionalProperties": false,
        })
    );
    assert_eq!(output::<Query>()["required"], json!(["limit", "filter", "text", "pages"]));
}

#[test]
fn flattened_fields_are_the_objects_own() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct FlatEnum {
        id: u8,
        #[serde(flatten)]
        shape: Shape,
    }

    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Flat {
        id: u8,
        #[serde(flatten)]
        place: Place,
        #[serde(flatten)]
        rest: HashMap<String, Value>,
    }
    let byte = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
    assert_eq!(
        input::<Flat>(),
        json!({
            "type": "object",
            "description": "A place.",
            "properties": {
                "id": byte,
                "cityName": { "type": "string", "description": "Its name." },
                "altitude": { "type": "integer", "description": "Metres." },
            },
            "required": ["id", "cityName"],
            "additionalProperties": {},
        })
    );
    let mut root = serde_json::Map::new();
    crate::schema::merge::merge_into_root(&mut root, &input::<FlatEnum>()).unwrap();
    assert_eq!(
        Value::Object(root),
        json!({
            "properties": {
                "id": byte,
                "kind": { "type": "string", "enum": ["circle", "dot", "placed"] },
                "radius": { "type": "number" },
                "cityName": { "type": "string", "description": "Its name." },
                "altitude": { "type": "integer", "description": "Metres." },
            },
            "required": ["id", "kind"],
        })
    );
}

#[test]
fn schemas_of_other_origin_are_normalised_too() {
    let raw = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "a": true,
            "b": false,
            "c": { "type": ["string", "integer", "null"], "minimum": 1, "maxLength": 3, "description": "c" },
            "d": { "allOf": [{ "type": "array" }], "description": "d" },
            "e": { "const": 1 },
        },
    });
    assert_eq!(
        schema_of_value(raw.clone(), Contract::Input),
        json!({
            "type": "object",
            "properties": {
                "a": {},
                "b": { "not": {} },
                "c": {
                    "description": "c",
                    "anyOf": [{ "type": "string", "maxLength": 3 }, { "type": "integer", "minimum": 1 }],
                },
                "d": { "type": "array", "description": "d", "items": {} },
                "e": { "enum": [1] },
            },
        })
    );
    assert_eq!(
        schema_of_value(raw, Contract::Output)["properties"]["c"]["type"],
        json!(["string", "integer", "null"])
    );
}

#[test]
fn only_stated_bounds_are_checked() {
    fn check<T: JsonSchema>() -> Option<Check> {
        let generated = generate(SchemaGenerator::subschema_for::<T>, Contract::Input);
        Check::compile(&generated.stated, Trust::Decoded).unwrap()
    }
    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema is read")]
    struct Stated {
        #[schemars(range(max = 14))]
        days: u8,
        #[schemars(range(min = 0))]
        any: u32,
    }
    assert!(check::<u8>().is_none());
    assert!(check::<Option<i16>>().is_none());
    assert!(check::<Vec<(u32, usize, f64)>>().is_none());
    assert!(check::<HashMap<u32, Place>>().is_none());
    assert!(check::<Shape>().is_none());
    assert!(check::<External>().is_none());
    let days = check::<Stated>().unwrap();
    assert_eq!(days.run(&json!({ "days": 14, "any": -1 })), []);
    let violations = days.run(&json!({ "days": 15 }));
    assert_eq!(violations.len(), 1);
    assert_eq!(violations[0].path.to_string(), "days");
    assert_eq!(violations[0].expected, "an integer of at most 14");
    let tree = check::<Node>().unwrap();
    assert_eq!(tree.run(&json!({ "size": 9, "children": [{ "size": 10, "children": [] }] })).len(), 1);
}

/// What is published admits what serde writes, and what serde reads.
#[test]
fn published_schemas_admit_serdes_values() {
    fn admits<T: JsonSchema + Serialize>(values: &[T]) {
        let schema = output::<T>();
        let check = Check::compile(&schema, Trust::Whole).unwrap();
        for value in values {
            let value = serde_json::to_value(value).unwrap();
            let found = check.as_ref().map(|check| check.run(&value)).unwrap_or_default();
            assert_eq!(found, [], "{schema} {value}");
        }
    }
    let place = |altitude| Place { city_name: "Bern".to_owned(), altitude };
    admits(&[None, Some(1_u32)]);
    admits(&[None, Some(Units::Metric), Some(Units::Imperial)]);
    admits(&[None, Some(place(None)), Some(place(Some(3)))]);
    admits(&[Shape::Circle { radius: 1.5 }, Shape::Dot, Shape::Placed(place(None))]);
    admits(&[Adjacent::A(1), Adjacent::B]);
    admits(&[None, Some(Untagged::Number(1)), Some(Untagged::Text(String::new())), Some(Untagged::Nothing)]);
    admits(&[External::A(1), External::B { x: true }, External::C, External::D]);
    admits(&[vec![
        None,
        Some(Node {
            size: 1,
            next: None,
            children: vec![Node { size: 2, next: None, children: Vec::new() }],
        }),
    ]]);
    admits(&[(1_u8, "a")]);
    admits(&[BTreeMap::from([(1_u32, Meters(1))])]);
}
