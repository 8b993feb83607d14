//! What tools that were added do with what clients send: as `#[tool]`s do.

use mcp_runtime::testing::Client;
use mcp_runtime::{Context, DynamicTool};
use serde_json::{Map, Value, json};

use crate::running;

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Celsius,
    Fahrenheit,
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
#[allow(dead_code, reason = "shown by `Debug`")]
struct Forecast {
    /// The city.
    city: String,
    /// Days ahead.
    #[schemars(range(min = 1, max = 14))]
    days: u8,
    unit: Option<Unit>,
    #[serde(default)]
    tags: Vec<String>,
}

fn forecast() -> DynamicTool {
    DynamicTool::new("forecast", |forecast: Forecast, _: Context| async move { format!("{forecast:?}") })
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "city": { "type": "string", "description": "The city." },
            "days": { "type": "integer", "minimum": 1, "maximum": 14 },
            "tags": { "type": "array", "items": { "type": "string" } },
        },
        "required": ["city", "days"],
    })
}

fn raw() -> DynamicTool {
    let shown = |given: Map<String, Value>, _: Context| async move { Value::from(given).to_string() };
    DynamicTool::new("raw", shown).input_schema(schema())
}

fn both() -> Client {
    let (client, handle, _) = running();
    handle.add_tool(forecast()).unwrap();
    handle.add_tool(raw()).unwrap();
    client
}

#[tokio::test]
async fn the_schema_is_derived_or_as_written() {
    let tools = both().list("tools").await.unwrap();
    assert_eq!(
        tools[0]["inputSchema"],
        json!({
            "type": "object",
            "properties": {
                "city": { "description": "The city.", "type": "string" },
                "days": { "description": "Days ahead.", "type": "integer", "minimum": 1, "maximum": 14 },
                "unit": { "type": "string", "enum": ["celsius", "fahrenheit"] },
                "tags": { "type": "array", "items": { "type": "string" }, "default": [] },
            },
            "required": ["city", "days"],
        })
    );
    assert_eq!(tools[2]["inputSchema"], schema());
}

/// Every bad argument is named, with what to write.
#[tokio::test]
async fn all_that_is_wrong_is_named() {
    let client = both();
    let bad = json!({ "days": 15, "unit": "celsios", "tags": 1 });
    let result = client.call("forecast", bad.clone()).await.unwrap();
    assert!(result.is_error);
    assert_eq!(
        result.text(),
        "The call to `forecast` has 4 bad arguments:\n\
         - argument `city`: missing, expected a string (The city)\n\
         - argument `days`: got 15, expected an integer from 1 to 14\n\
         - argument `unit`: got \"celsios\", expected one of \"celsius\", \"fahrenheit\"; did you mean \"celsius\"?\n\
         - argument `tags`: got 1, expected an array of strings"
    );
    let result = client.call("raw", bad).await.unwrap();
    assert!(result.is_error);
    assert_eq!(
        result.text(),
        "The call to `raw` has 3 bad arguments:\n\
         - argument `city`: missing, expected a string (The city)\n\
         - argument `days`: got 15, expected an integer from 1 to 14\n\
         - argument `tags`: got 1, expected an array of strings"
    );
}

/// What clients send for the right thing: null for "not given", an array as text, a number as text.
#[tokio::test]
async fn slips_of_clients_are_put_right() {
    let client = both();
    let sent = json!({ "city": "5", "days": "3", "unit": null, "tags": "[\"a\",\"b\"]" });
    assert_eq!(
        client.call("forecast", sent).await.unwrap().text(),
        r#"Forecast { city: "5", days: 3, unit: None, tags: ["a", "b"] }"#
    );
    let sent = json!({ "city": "Rome", "days": 3, "tags": null });
    assert_eq!(
        client.call("forecast", sent).await.unwrap().text(),
        r#"Forecast { city: "Rome", days: 3, unit: None, tags: [] }"#
    );
    let sent = json!({ "city": "5", "days": "3", "tags": "[\"a\",\"b\"]" });
    assert_eq!(client.call("raw", sent).await.unwrap().text(), r#"{"city":"5","days":3,"tags":["a","b"]}"#);
}

/// A tool with a schema by hand and no arguments in Rust is held to it, too.
#[tokio::test]
async fn a_schema_is_enforced_also_where_nothing_is_taken() {
    let (client, handle, _) = running();
    handle.add_tool(DynamicTool::new("bare", |_: Context| async { "ran" }).input_schema(schema())).unwrap();
    assert!(client.call("bare", json!({})).await.unwrap().is_error);
    assert_eq!(client.call("bare", json!({ "city": "Rome", "days": 1 })).await.unwrap().text(), "ran");
}

#[tokio::test]
async fn a_strict_tool_refuses_what_it_does_not_know() {
    let (client, handle, _) = running();
    handle.add_tool(forecast().strict()).unwrap();
    let sent = json!({ "city": "Rome", "days": 3, "tagz": [] });
    assert_eq!(
        client.call("forecast", sent).await.unwrap().text(),
        "The call to `forecast` has a bad argument:\n\
         - argument `tagz`: unknown, expected one of `city`, `days`, `unit`, `tags`; did you mean `tags`?"
    );
    let tools = client.list("tools").await.unwrap();
    assert_eq!(tools[0]["inputSchema"]["additionalProperties"], false);
}
