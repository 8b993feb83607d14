//! C8 of what real clients send, and DESIGN, decision 7: schemas that every client accepts, valid under 2020-12 for a
//! validator of another's making.

use std::collections::BTreeSet;

use jsonschema::Validator;
use mcp_runtime::testing::Client;
use mcp_tests::{call, client, listed};
use serde_json::{Value, json};

#[allow(clippy::option_option, reason = "serde has it, so a schema may")]
mod rich {
    use std::borrow::Cow;
    use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
    use std::num::{NonZeroU8, NonZeroU32};
    use std::path::PathBuf;
    use std::time::Duration;

    use mcp_runtime::SafePath;
    use mcp_runtime::prelude::*;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use serde_json::Value;

    /// A unit of measurement.
    #[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub(crate) enum Unit {
        /// Degrees Celsius.
        Metric,
        /// Degrees Fahrenheit.
        Imperial,
        AsIs,
    }

    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Point {
        /// From the left.
        x: f64,
        y: Option<f64>,
    }

    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "kind", rename_all = "lowercase")]
    pub(crate) enum Tagged {
        /// A circle.
        Circle {
            radius: f64,
            at: Option<Point>,
        },
        Square(Square),
        Empty,
    }

    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Square {
        side: u16,
    }

    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    pub(crate) enum External {
        Unit,
        New(u8),
        Tuple(u8, String),
        Struct { a: Option<bool> },
    }

    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "t", content = "c")]
    pub(crate) enum Adjacent {
        A(i32),
        B(Vec<String>),
        C,
    }

    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    pub(crate) enum Untagged {
        Number(i64),
        Text(String),
        Many(Vec<Point>),
    }

    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Newtype(u64);

    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Pair(u8, Option<String>);

    #[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Unit2;

    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Base {
        id: u32,
        #[serde(default)]
        note: Option<String>,
    }

    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Everything {
        a_bool: bool,
        small: i8,
        word: u16,
        big: u64,
        huge: i128,
        single: f32,
        letter: char,
        text: String,
        cow: Cow<'static, str>,
        maybe: Option<u32>,
        #[allow(clippy::option_option, reason = "people write it, and serde reads it")]
        twice: Option<Option<u8>>,
        unit: Unit,
        maybe_unit: Option<Unit>,
        point: Point,
        boxed: Box<Point>,
        maybe_point: Option<Point>,
        list: Vec<Point>,
        deque: VecDeque<Option<u8>>,
        array: [u8; 3],
        tuple: (u8, String, Option<bool>),
        set: BTreeSet<String>,
        hash_set: HashSet<u8>,
        map: BTreeMap<String, Point>,
        hash_map: HashMap<String, Option<u8>>,
        numbered: BTreeMap<u8, String>,
        tagged: Tagged,
        external: External,
        adjacent: Adjacent,
        untagged: Untagged,
        newtype: Newtype,
        pair: Pair,
        unit2: Unit2,
        nothing: (),
        value: Value,
        object: serde_json::Map<String, Value>,
        path: PathBuf,
        duration: Duration,
        non_zero: NonZeroU32,
        #[serde(default)]
        defaulted: u8,
        #[serde(default = "seven", skip_serializing_if = "is_seven")]
        seven: u8,
        #[serde(skip_serializing_if = "Option::is_none")]
        skipped: Option<String>,
        #[serde(flatten)]
        base: Base,
        #[schemars(range(min = 1, max = 5))]
        ranged: u8,
        #[schemars(length(min = 1, max = 5), extend("examples" = ["a"]))]
        measured: String,
    }

    fn seven() -> u8 {
        7
    }

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
    fn is_seven(value: &u8) -> bool {
        *value == 7
    }

    pub(crate) fn everything(full: bool) -> Everything {
        let point = Point { x: 1.5, y: full.then_some(2.0) };
        Everything {
            a_bool: true,
            small: -8,
            word: 16,
            big: u64::MAX,
            huge: -1,
            single: 0.5,
            letter: 'ß',
            text: "text".to_owned(),
            cow: "cow".into(),
            maybe: full.then_some(1),
            twice: full.then_some(Some(2)),
            unit: Unit::Imperial,
            maybe_unit: full.then_some(Unit::AsIs),
            point: point.clone(),
            boxed: Box::new(point.clone()),
            maybe_point: full.then(|| point.clone()),
            list: vec![point.clone()],
            deque: VecDeque::from([Some(1), None]),
            array: [1, 2, 3],
            tuple: (1, "two".to_owned(), full.then_some(true)),
            set: BTreeSet::from(["a".to_owned()]),
            hash_set: HashSet::from([1]),
            map: BTreeMap::from([("a".to_owned(), point.clone())]),
            hash_map: HashMap::from([("a".to_owned(), full.then_some(1))]),
            numbered: BTreeMap::from([(1, "one".to_owned())]),
            tagged: if full {
                Tagged::Circle { radius: 1.0, at: Some(point.clone()) }
            } else {
                Tagged::Square(Square { side: 2 })
            },
            external: if full { External::Tuple(1, "x".to_owned()) } else { External::Unit },
            adjacent: if full { Adjacent::B(vec!["b".to_owned()]) } else { Adjacent::C },
            untagged: if full { Untagged::Many(vec![point]) } else { Untagged::Text("t".to_owned()) },
            newtype: Newtype(1),
            pair: Pair(1, full.then(|| "p".to_owned())),
            unit2: Unit2,
            nothing: (),
            value: serde_json::json!([1, null, { "a": {} }]),
            object: serde_json::Map::new(),
            path: PathBuf::from("a/b"),
            duration: Duration::from_millis(1500),
            non_zero: NonZeroU32::MIN,
            defaulted: 0,
            seven: if full { 8 } else { 7 },
            skipped: full.then(|| "s".to_owned()),
            base: Base { id: 1, note: full.then(|| "n".to_owned()) },
            ranged: 5,
            measured: "m".to_owned(),
        }
    }

    #[tool]
    fn takes_everything(everything: Everything) -> String {
        format!("{everything:?}")
    }

    #[tool]
    fn takes_it_flat(#[arg(flatten)] everything: Everything) -> String {
        format!("{everything:?}")
    }

    #[tool]
    fn gives_everything(full: bool) -> Json<Everything> {
        Json(everything(full))
    }

    /// The row C8.
    #[tool]
    #[allow(clippy::too_many_arguments, reason = "one of each")]
    fn c8(
        count: Option<u32>,
        unit: Unit,
        maybe_unit: Option<Unit>,
        nested: Point,
        list: Vec<String>,
        points: Option<Vec<Point>>,
        map: HashMap<String, u32>,
        path: Option<SafePath>,
        non_zero: NonZeroU8,
        value: Value,
        slice: &[Unit],
        text: &str,
    ) -> String {
        format!(
            "{count:?} {unit:?} {maybe_unit:?} {nested:?} {list:?} {points:?} {map:?} {path:?} {non_zero} {value} \
             {slice:?} {text}"
        )
    }

    #[tool]
    fn nothing() {}

    #[tool]
    fn gives_option(some: bool) -> Option<Json<Point>> {
        some.then_some(Json(Point { x: 1.0, y: None }))
    }

    #[tool]
    fn gives_list() -> Json<Vec<Option<Point>>> {
        Json(vec![None, Some(Point { x: 1.0, y: Some(2.0) })])
    }

    #[tool]
    fn gives_tagged(which: u8) -> Json<Tagged> {
        Json(match which {
            0 => Tagged::Empty,
            1 => Tagged::Circle { radius: 1.0, at: None },
            _ => Tagged::Square(Square { side: 1 }),
        })
    }

    #[tool]
    fn gives_untagged(which: u8) -> Json<Untagged> {
        Json(match which {
            0 => Untagged::Number(-1),
            1 => Untagged::Text("t".to_owned()),
            _ => Untagged::Many(Vec::new()),
        })
    }

    #[tool]
    fn gives_external(which: u8) -> Json<External> {
        Json(match which {
            0 => External::Unit,
            1 => External::New(1),
            2 => External::Tuple(1, "t".to_owned()),
            _ => External::Struct { a: None },
        })
    }

    #[tool]
    fn gives_scalar() -> Json<Option<u64>> {
        Json(Some(u64::MAX))
    }

    #[tool]
    fn gives_map() -> Json<BTreeMap<String, Option<Unit>>> {
        Json(BTreeMap::from([("a".to_owned(), Some(Unit::Metric)), ("b".to_owned(), None)]))
    }

    #[tool]
    fn gives_value() -> Json<Value> {
        Json(serde_json::json!({ "any": [1, null] }))
    }
}

/// A recursive type cannot be said without `$defs`, and keeps them.
mod recursive {
    use mcp_runtime::prelude::*;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Tree {
        name: String,
        #[serde(default)]
        children: Vec<Tree>,
    }

    #[tool]
    fn tree(tree: Tree) -> Json<Tree> {
        Json(tree)
    }
}

fn rich() -> Client {
    client("schemas::rich")
}

/// A 2020-12 validator for a schema that the meta-schema admits.
fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::meta::validate(schema).unwrap_or_else(|error| panic!("{error}: {schema}"));
    jsonschema::draft202012::new(schema).unwrap_or_else(|error| panic!("{error}: {schema}"))
}

/// Every schema inside a schema, with its place; not the values of `enum`, `default`, `examples`.
fn schemas<'a>(place: String, schema: &'a Value, found: &mut Vec<(String, &'a Value)>) {
    found.push((place.clone(), schema));
    let Value::Object(map) = schema else { return };
    for (keyword, value) in map {
        let place = format!("{place}/{keyword}");
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties" | "$defs" | "dependentSchemas", Value::Object(members)) => {
                for (name, member) in members {
                    schemas(format!("{place}/{name}"), member, found);
                }
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(branches)) => {
                for (index, branch) in branches.iter().enumerate() {
                    schemas(format!("{place}/{index}"), branch, found);
                }
            }
            (
                "items"
                | "additionalProperties"
                | "propertyNames"
                | "contains"
                | "not"
                | "if"
                | "then"
                | "else"
                | "unevaluatedProperties"
                | "unevaluatedItems",
                child,
            ) => schemas(place, child, found),
            _ => {}
        }
    }
}

/// What clients and model APIs reject, at one place of an input schema.
fn rejected(place: &str, schema: &Value) -> Vec<&'static str> {
    let closes = place.ends_with("/additionalProperties") && *schema == json!(false);
    let Value::Object(map) = schema else { return if closes { vec![] } else { vec!["a boolean schema"] } };
    let mut wrong = Vec::new();
    for keyword in ["$ref", "$defs", "definitions", "$schema", "$id", "$dynamicRef"] {
        if map.contains_key(keyword) {
            wrong.push("a reference or definition");
        }
    }
    match map.get("type") {
        Some(Value::Array(_)) => wrong.push("a list of types"),
        Some(kind) if kind == "array" && !map.contains_key("items") => wrong.push("an array without items"),
        _ => {}
    }
    for keyword in ["anyOf", "oneOf"] {
        let branches = map.get(keyword).and_then(Value::as_array).into_iter().flatten();
        if branches.clone().any(|branch| {
            branch["type"] == "null" || branch["const"].is_null() && branch.get("const").is_some()
        }) {
            wrong.push("a branch for null");
        }
    }
    if map
        .get("enum")
        .and_then(Value::as_array)
        .is_some_and(|values| values.len() > 1 && values.contains(&Value::Null))
    {
        wrong.push("null among the constants");
    }
    if map.get("default") == Some(&Value::Null) {
        wrong.push("null as the default");
    }
    let number = matches!(map.get("type").and_then(Value::as_str), Some("integer" | "number"));
    if number && map.contains_key("format") {
        wrong.push("the format of a number");
    }
    wrong
}

async fn tools(client: &Client) -> Vec<Value> {
    client.list("tools").await.expect("a list")
}

/// C8: "no `$ref`/`$defs`, no `["integer","null"]`, no `anyOf` with null, no `format: uint32`, `items` always there,
/// `type: object` at the root, no `$schema`".
#[tokio::test]
async fn c8_input_schemas_have_nothing_that_clients_reject() {
    let mut wrong = Vec::new();
    for tool in tools(&rich()).await {
        let schema = &tool["inputSchema"];
        assert_eq!(schema["type"], "object", "{tool}");
        for keyword in ["anyOf", "oneOf", "allOf", "not", "if"] {
            assert_eq!(schema.get(keyword), None, "composition at the root: {tool}");
        }
        let mut all = Vec::new();
        schemas(tool["name"].to_string(), schema, &mut all);
        for (place, schema) in all {
            wrong.extend(
                rejected(&place, schema).into_iter().map(|what| format!("{place}: {what}: {schema}")),
            );
        }
    }
    assert_eq!(wrong, [""; 0]);
}

/// C8, in full.
#[tokio::test]
async fn c8_the_row_s_own_types() {
    let unit = json!({
        "type": "string",
        "enum": ["as_is", "metric", "imperial"],
        "description": "A unit of measurement.\n- \"metric\": Degrees Celsius.\n- \"imperial\": Degrees Fahrenheit.",
    });
    let schema = listed(&rich(), "tools", "c8").await["inputSchema"].take();
    let point = json!({
        "type": "object",
        "properties": { "x": { "type": "number", "description": "From the left." }, "y": { "type": "number" } },
        "required": ["x"],
    });
    for (name, expected) in [
        ("count", json!({ "type": "integer", "minimum": 0 })),
        ("nested", point.clone()),
        ("list", json!({ "type": "array", "items": { "type": "string" } })),
        ("points", json!({ "type": "array", "items": point })),
        ("map", json!({ "type": "object", "additionalProperties": { "type": "integer", "minimum": 0 } })),
        ("non_zero", json!({ "type": "integer", "minimum": 1, "maximum": 255 })),
        ("text", json!({ "type": "string" })),
    ] {
        assert_eq!(schema["properties"][name], expected, "{name}");
    }
    for name in ["unit", "maybe_unit"] {
        let published = &schema["properties"][name];
        let constants: BTreeSet<&str> =
            published["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let all: BTreeSet<&str> =
            unit["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        assert_eq!((&published["type"], constants), (&unit["type"], all), "{name}");
        let description = published["description"].as_str().unwrap_or_default();
        for part in ["A unit of measurement.", "Degrees Celsius.", "Degrees Fahrenheit."] {
            assert!(description.contains(part), "{name}: {description}");
        }
    }
    assert_eq!(
        schema["required"],
        json!(["unit", "nested", "list", "map", "non_zero", "value", "slice", "text"])
    );
}

/// basic/index, Schema Validation: "Schemas MUST be valid according to their declared or default dialect".
#[tokio::test]
async fn every_schema_is_valid_under_2020_12() {
    for module in ["schemas::rich", "schemas::recursive"] {
        for tool in tools(&client(module)).await {
            validator(&tool["inputSchema"]);
            if let Some(schema) = tool.get("outputSchema") {
                validator(schema);
            }
        }
    }
}

/// server/tools, Output Schema: "Servers MUST provide structured results that conform to this schema."
#[tokio::test]
async fn structured_results_conform_to_their_schema() {
    let client = rich();
    for (tool, arguments) in [
        ("gives_everything", vec![json!({ "full": true }), json!({ "full": false })]),
        ("gives_option", vec![json!({ "some": true }), json!({ "some": false })]),
        ("gives_list", vec![json!({})]),
        ("gives_tagged", vec![json!({ "which": 0 }), json!({ "which": 1 }), json!({ "which": 2 })]),
        ("gives_untagged", vec![json!({ "which": 0 }), json!({ "which": 1 }), json!({ "which": 2 })]),
        (
            "gives_external",
            vec![json!({ "which": 0 }), json!({ "which": 1 }), json!({ "which": 2 }), json!({ "which": 3 })],
        ),
        ("gives_scalar", vec![json!({})]),
        ("gives_map", vec![json!({})]),
        ("gives_value", vec![json!({})]),
    ] {
        let schema = listed(&client, "tools", tool).await["outputSchema"].take();
        let validator = validator(&schema);
        for arguments in arguments {
            let result = call(&client, tool, arguments.clone()).await;
            let structured = &result["structuredContent"];
            let faults: Vec<String> = validator
                .iter_errors(structured)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert_eq!(faults, [""; 0], "{tool} {arguments}: {structured} against {schema}");
            let text: Value =
                serde_json::from_str(result["content"][0]["text"].as_str().expect("a text")).expect("JSON");
            assert_eq!(text, *structured, "{tool}");
        }
    }
}

/// What a type gives is what it takes: the values that conform to the output schema conform to the input schema, once
/// null is left out, and are decoded.
#[tokio::test]
async fn what_the_schema_admits_is_taken() {
    let client = rich();
    let flat = listed(&client, "tools", "takes_it_flat").await["inputSchema"].take();
    let nested = listed(&client, "tools", "takes_everything").await["inputSchema"].take();
    for full in [true, false] {
        let given =
            call(&client, "gives_everything", json!({ "full": full })).await["structuredContent"].take();
        let expected = format!("{:?}", rich::everything(full));
        for (tool, schema, arguments) in [
            ("takes_it_flat", &flat, given.clone()),
            ("takes_everything", &nested, json!({ "everything": given })),
        ] {
            assert_eq!(mcp_tests::said(&client, tool, arguments.clone()).await, expected, "{tool}");
            if full {
                let faults: Vec<String> = validator(schema)
                    .iter_errors(&arguments)
                    .map(|error| format!("{}: {error}", error.instance_path()))
                    // `null` has no place in an input schema but is what serde writes for `None`.
                    .filter(|fault| !fault.contains("null"))
                    .collect();
                assert_eq!(faults, [""; 0], "{tool}: {arguments} against {schema}");
            }
        }
    }
}

/// Output schemas may name `null`, and have none of the rest; they are no references where the type is none.
#[tokio::test]
async fn output_schemas_have_no_references() {
    for tool in tools(&rich()).await {
        let Some(schema) = tool.get("outputSchema") else { continue };
        let mut all = Vec::new();
        schemas(tool["name"].to_string(), schema, &mut all);
        for (place, schema) in all {
            for keyword in ["$ref", "$defs", "definitions", "$schema"] {
                assert_eq!(schema.get(keyword), None, "{place}");
            }
        }
    }
}

/// "A recursive type keeps `$defs`", and works.
#[tokio::test]
async fn a_recursive_type_keeps_its_definitions() {
    let client = client("schemas::recursive");
    let tool = listed(&client, "tools", "tree").await;
    let tree = json!({ "name": "root", "children": [{ "name": "leaf", "children": [] }] });
    let input = validator(&tool["inputSchema"]);
    assert!(input.is_valid(&json!({ "tree": tree })));
    assert!(!input.is_valid(&json!({ "tree": { "name": "root", "children": [{ "name": 1 }] } })));
    assert!(validator(&tool["outputSchema"]).is_valid(&tree));
    let result = call(&client, "tree", json!({ "tree": tree })).await;
    assert_eq!(result["structuredContent"], tree);
    assert_eq!(
        mcp_tests::refused(&client, "tree", json!({ "tree": { "name": "r", "children": [{ "name": 1 }] } }))
            .await,
        ["argument `tree.children[0].name`: got 1, expected a string"]
    );
}
