//! Prompts and completion.

use mcp_runtime::CompletionRequest;
use mcp_runtime::prelude::*;
use mcp_tests::{client, listed};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::code;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Style {
    Short,
    Long,
}

/// Analyse numbers.
#[prompt]
fn analyse(
    data_points: Vec<f64>,
    min_impressions: Option<u32>,
    #[arg(default = true)] careful: bool,
) -> String {
    format!("{data_points:?} {min_impressions:?} {careful}")
}

fn everything(_: &str) -> Vec<String> {
    (0..250).map(|n| format!("value-{n}")).collect()
}

fn columns(request: &CompletionRequest<'_>) -> Vec<String> {
    vec![format!("{}.id", request.argument("table").unwrap_or("?"))]
}

/// Explain a query.
#[prompt]
fn explain(
    #[arg(complete = everything)] table: String,
    #[arg(complete = columns)] column: String,
    style: Option<Style>,
) -> String {
    format!("{table} {column} {style:?}")
}

/// A row.
#[resource("field://rows/{table}/{id}")]
fn row(#[arg(complete = everything)] table: String, id: i64) -> String {
    format!("{table} {id}")
}

async fn text(name: &str, arguments: Value) -> String {
    let result = client(module_path!()).prompt(name, arguments).await.expect("the prompt is served");
    let message = serde_json::to_value(&result.messages[0]).expect("messages serialize");
    message["content"]["text"].as_str().expect("it is text").to_owned()
}

/// `PrefectHQ/fastmcp#846`, `saurabhsharma2u/search-console-mcp#112`: arguments of prompts are strings on the wire,
/// and some clients send the typed value all the same.
#[tokio::test]
async fn prompt_arguments_are_typed_whichever_way_they_come() {
    let expected = "[1.9, 2.0] Some(5) false";
    let strings = json!({ "data_points": "[1.9, 2.0]", "min_impressions": "5", "careful": "false" });
    assert_eq!(text("analyse", strings).await, expected);
    let typed = json!({ "data_points": [1.9, 2.0], "min_impressions": 5, "careful": false });
    assert_eq!(text("analyse", typed).await, expected);
    let commas = json!({ "data_points": "1.9, 2.0", "min_impressions": null });
    assert_eq!(text("analyse", commas).await, "[1.9, 2.0] None true");
}

/// `anomalyco/opencode#33564`: a client fetches every prompt with the placeholders `$1`, `$2`; the fault is named.
#[tokio::test]
async fn a_prompt_argument_that_does_not_fit_is_invalid_params() {
    let client = client(module_path!());
    let error = client.prompt("analyse", json!({ "data_points": "1", "min_impressions": "$2" })).await;
    let error = error.expect_err("it does not fit");
    assert_eq!(error.code(), -32602);
    assert!(
        error.message().contains("`min_impressions`") && error.message().contains("$2"),
        "{}",
        error.message()
    );
    assert_eq!(code(client.prompt("analyse", json!({})).await), -32602);
    assert_eq!(code(client.prompt("nonsense", json!({})).await), -32602);
}

/// `TJC-LP/fast-mcp-scala#116`: an optional argument is listed as one, and the context is no argument.
#[tokio::test]
async fn prompt_arguments_are_listed_with_what_is_required() {
    let prompt = listed(&client(module_path!()), "prompts", "analyse").await;
    let arguments = json!([
        { "name": "data_points", "required": true },
        { "name": "min_impressions", "required": false },
        { "name": "careful", "required": false },
    ]);
    assert_eq!(prompt["arguments"], arguments);
}

async fn completed(params: Value) -> Value {
    let result =
        client(module_path!()).request("completion/complete", params).await.expect("it is completed");
    result["completion"].clone()
}

/// `topcheer/ggcode#2491`, `veryfront/veryfront-code#838`: at most 100 values, with how many there are.
#[tokio::test]
async fn a_completion_has_at_most_a_hundred_values() {
    let params = json!({ "ref": { "type": "ref/prompt", "name": "explain" }, "argument": { "name": "table", "value": "" } });
    let completion = completed(params).await;
    assert_eq!(completion["values"].as_array().map(Vec::len), Some(100));
    assert_eq!((&completion["total"], &completion["hasMore"]), (&json!(250), &json!(true)));
    let params = json!({
        "ref": { "type": "ref/resource", "uri": "field://rows/{table}/{id}" },
        "argument": { "name": "table", "value": "v" },
    });
    assert_eq!(completed(params).await["values"][0], "value-0");
}

/// `vercel/ai#16178`: what the other arguments are is known.
#[tokio::test]
async fn a_completion_knows_the_other_arguments() {
    let params = json!({
        "ref": { "type": "ref/prompt", "name": "explain" },
        "argument": { "name": "column", "value": "" },
        "context": { "arguments": { "table": "orders" } },
    });
    assert_eq!(completed(params).await, json!({ "values": ["orders.id"], "total": 1, "hasMore": false }));
}

/// `veryfront/veryfront-code#851`: an argument with nothing to complete gives no values; one that does not exist,
/// and a reference to nothing, are errors.
#[tokio::test]
async fn a_completion_of_nothing_is_empty_and_of_a_stranger_an_error() {
    let client = client(module_path!());
    let uri = json!({ "type": "ref/resource", "uri": "field://rows/{table}/{id}" });
    let params = json!({ "ref": uri, "argument": { "name": "id", "value": "1" } });
    assert_eq!(completed(params).await, json!({ "values": [], "total": 0, "hasMore": false }));
    let enumeration = json!({ "ref": { "type": "ref/prompt", "name": "explain" }, "argument": { "name": "style", "value": "L" } });
    assert_eq!(completed(enumeration).await["values"], json!(["long"]));
    for (reference, argument) in [
        (uri.clone(), json!({ "name": "nonsense", "value": "" })),
        (json!({ "type": "ref/prompt", "name": "nonsense" }), json!({ "name": "table", "value": "" })),
        (json!({ "type": "ref/tool", "name": "explain" }), json!({ "name": "table", "value": "" })),
        (json!({ "name": "explain" }), json!({ "name": "table", "value": "" })),
        (uri, json!({ "name": "table" })),
    ] {
        let params = json!({ "ref": reference, "argument": argument });
        assert_eq!(code(client.request("completion/complete", params.clone()).await), -32602, "{params}");
    }
}
