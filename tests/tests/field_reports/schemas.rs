//! Schemas that clients rejected.

use std::collections::BTreeMap;

use mcp_runtime::prelude::*;
use mcp_tests::{client, listed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Say hello.
#[tool]
fn hello() -> &'static str {
    "hello"
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only its schema is looked at")]
struct Column {
    /// What the column is called.
    name: String,
    required: Vec<String>,
    properties: BTreeMap<String, String>,
    r#type: Option<String>,
    r#enum: Option<Vec<String>>,
    items: Option<Box<u32>>,
    format: Option<String>,
}

/// Add a table, with parameters called as keywords of JSON Schema are.
#[tool]
fn add_table(properties: Vec<Column>, required: Option<Vec<String>>, r#type: Option<String>) -> String {
    format!("{} columns, {required:?}, {type:?}", properties.len())
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Level {
    Low,
    High,
}

/// Find references.
#[tool]
fn find_references(
    solution_id: String,
    #[arg(default = 100)] max_results: u32,
    #[arg(default = false)] include_info: bool,
    level: Option<Level>,
) -> String {
    let level = level.map(|level| matches!(level, Level::High));
    format!("{solution_id} {max_results} {include_info} {level:?}")
}

#[derive(Serialize, JsonSchema)]
struct Hit {
    name: String,
    desc: Option<String>,
    parent: Option<Box<Hit>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
}

/// Search.
#[tool]
fn search() -> Json<Vec<Hit>> {
    let parent = Hit { name: "b".to_owned(), desc: None, parent: None, score: Some(0.5) };
    Json(vec![Hit { name: "a".to_owned(), desc: None, parent: Some(Box::new(parent)), score: None }])
}

fn keywords(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            for (key, value) in map {
                found.push(key.clone());
                keywords(value, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keywords(item, found)),
        _ => {}
    }
}

/// `inboxapi/cli#106`, `langchain-ai/langchain-mcp-adapters#137`, `mark3labs/mcphost#89`: "object schema missing
/// properties", said of every call, not only of those to this tool.
#[tokio::test]
async fn a_tool_without_parameters_still_has_properties() {
    let tool = listed(&client(module_path!()), "tools", "hello").await;
    let expected = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    assert_eq!(tool["inputSchema"], expected);
}

/// `NousResearch/hermes-agent#110530`, rust-sdk 3.10 "tools with dependency property-name maps": a parameter called
/// as a keyword is no keyword.
#[tokio::test]
async fn a_parameter_called_properties_stays_a_parameter() {
    let client = client(module_path!());
    let schema = listed(&client, "tools", "add_table").await["inputSchema"].clone();
    assert_eq!(schema["required"], json!(["properties"]));
    let column = &schema["properties"]["properties"]["items"];
    assert_eq!(column["required"], json!(["name", "required", "properties"]));
    assert_eq!(column["properties"]["type"]["type"], "string");
    assert_eq!(column["properties"]["required"], json!({ "type": "array", "items": { "type": "string" } }));
    assert_eq!(column["properties"]["items"]["type"], "integer");
    let column = json!({ "name": "id", "required": ["a"], "properties": { "b": "c" }, "items": 3 });
    let arguments = json!({ "properties": [column], "required": ["id"], "type": "temporary" });
    let answer = client.call("add_table", arguments).await.expect("the call is served");
    assert_eq!(answer.text(), r#"1 columns, Some(["id"]), Some("temporary")"#);
}

/// `mrpmorris/Roslynk#30`, `anthropics/claude-code#3966`: what has a default is not required, and no optional
/// argument is a union with null.
#[tokio::test]
async fn optional_arguments_are_neither_required_nor_nullable() {
    let schema = listed(&client(module_path!()), "tools", "find_references").await["inputSchema"].clone();
    assert_eq!(schema["required"], json!(["solution_id"]));
    assert_eq!(schema["properties"]["max_results"]["default"], 100);
    assert_eq!(schema["properties"]["level"]["type"], "string");
    assert_eq!(schema["properties"]["level"]["enum"], json!(["low", "high"]));
    assert!(!schema.to_string().contains("null"), "{schema}");
}

/// `modelcontextprotocol/rust-sdk#179`, `#135`, `#860`: a client loaded `$schema` and failed; others stumble over
/// references, unions and Rust's formats.
#[tokio::test]
async fn input_schemas_need_no_resolving() {
    for tool in client(module_path!()).list("tools").await.expect("lists are served") {
        let mut found = Vec::new();
        keywords(&tool["inputSchema"], &mut found);
        for keyword in ["$schema", "$ref", "$defs", "anyOf", "oneOf", "allOf", "title", "nullable"] {
            assert!(!found.iter().any(|key| key == keyword), "{keyword} in {tool}");
        }
        assert!(!tool["inputSchema"].to_string().contains("uint"), "{tool}");
    }
}

/// `modelcontextprotocol/java-sdk#683`: serde writes null where nothing is, and the client, which validates, refuses
/// the result.
#[tokio::test]
async fn structured_content_with_nulls_fits_its_schema() {
    let client = client(module_path!());
    let schema = listed(&client, "tools", "search").await["outputSchema"].clone();
    let result = client.call("search", json!({})).await.expect("the call is served");
    let structured = result.structured_content.clone().expect("it is structured");
    assert_eq!(structured[0]["desc"], Value::Null);
    let validator = jsonschema::draft202012::new(&schema).expect("the schema is valid");
    let errors: Vec<_> = validator.iter_errors(&structured).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?} in {schema}");
    assert_eq!(serde_json::from_str::<Value>(&result.text()).expect("the text is the JSON"), structured);
}
