//! What a session can ask of the server.

use mcp_runtime::prelude::*;
use mcp_tests::server;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::wire::Wire;

#[derive(Serialize, JsonSchema)]
struct Sum {
    sum: i64,
}

/// Add two numbers.
#[tool(title = "Adder", read_only, icon("https://example.com/add.png"), meta("com.example/a" = 1))]
fn add(a: i64, b: i64) -> Json<Sum> {
    Json(Sum { sum: a + b })
}

/// List some numbers.
#[tool]
fn numbers() -> Json<Vec<i64>> {
    Json(vec![1, 2])
}

/// Say what goes on.
#[tool]
fn chatter(ctx: &Context) -> &'static str {
    ctx.log(LogLevel::Debug, "debug");
    ctx.log(LogLevel::Info, "info");
    ctx.log(LogLevel::Error, "error");
    ctx.progress(1.0, 2.0, "half");
    "said"
}

/// A note.
#[resource("notes://{day}")]
fn note(day: u32) -> String {
    format!("day {day}")
}

/// Brief somebody.
#[prompt]
fn brief(tone: Tone) -> String {
    format!("Be {tone:?}.")
}

#[derive(Debug, serde::Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Tone {
    Kind,
    Short,
}

async fn open(revision: &str) -> Wire {
    Wire::open(server(module_path!()), revision, json!({})).await
}

/// What a tool is listed with, by the revisions that know of it.
#[tokio::test]
async fn a_list_has_what_the_revision_knows() {
    for (revision, has) in [
        ("2024-11-05", &[][..]),
        ("2025-03-26", &["annotations"]),
        ("2025-06-18", &["_meta", "annotations", "outputSchema", "title"]),
        ("2025-11-25", &["_meta", "annotations", "icons", "outputSchema", "title"]),
    ] {
        let mut wire = open(revision).await;
        let list = wire.result("tools/list", json!({})).await;
        assert_eq!(list.as_object().unwrap().keys().collect::<Vec<_>>(), ["tools"], "{revision}");
        let tools = list["tools"].as_array().unwrap();
        let add = tools.iter().find(|tool| tool["name"] == "add").unwrap().as_object().unwrap();
        let mut extra: Vec<&str> = add.keys().map(String::as_str).collect();
        extra.retain(|key| !["name", "description", "inputSchema"].contains(key));
        extra.sort_unstable();
        assert_eq!(extra, has, "{revision}");
        // A schema that is no object's is refused by all of them.
        let numbers = tools.iter().find(|tool| tool["name"] == "numbers").unwrap();
        assert_eq!(numbers.get("outputSchema"), None, "{revision}");

        let sum = wire.result("tools/call", json!({ "name": "add", "arguments": { "a": 1, "b": 2 } })).await;
        let structured =
            (!revision.starts_with("2024") && revision != "2025-03-26").then(|| json!({ "sum": 3 }));
        assert_eq!(sum.get("structuredContent"), structured.as_ref(), "{revision}");
        let numbers = wire.result("tools/call", json!({ "name": "numbers" })).await;
        assert_eq!(numbers, json!({ "content": [{ "type": "text", "text": "[1,2]" }] }), "{revision}");
    }
}

#[tokio::test]
async fn what_is_not_there_is_said_as_the_revision_says_it() {
    let mut wire = open("2025-11-25").await;
    let read = wire.result("resources/read", json!({ "uri": "notes://3" })).await;
    assert_eq!(read["contents"][0]["text"], "day 3");
    for uri in ["nothing://there", "notes://monday"] {
        let error = wire.error("resources/read", json!({ "uri": uri })).await;
        assert_eq!((&error["code"], &error["data"]["uri"]), (&json!(-32002), &json!(uri)));
    }
    assert_eq!(wire.error("resources/read", json!({})).await["code"], -32602);
    assert_eq!(wire.error("tools/call", json!({ "name": "nope" })).await["code"], -32602);
    assert_eq!(wire.error("nope", json!({})).await["code"], -32601);
    assert_eq!(wire.error("subscriptions/listen", json!({ "notifications": {} })).await["code"], -32601);
    let wrong = wire.result("tools/call", json!({ "name": "add", "arguments": { "a": "x" } })).await;
    assert_eq!(wrong["isError"], true);
}

#[tokio::test]
async fn prompts_and_completions_work() {
    let mut wire = open("2025-06-18").await;
    let prompt =
        wire.result("prompts/get", json!({ "name": "brief", "arguments": { "tone": "kind" } })).await;
    assert_eq!(prompt["messages"][0]["content"]["text"], "Be Kind.");
    let params = json!({
        "ref": { "type": "ref/prompt", "name": "brief" },
        "argument": { "name": "tone", "value": "s" },
    });
    let completed = wire.result("completion/complete", params).await;
    assert_eq!(completed, json!({ "completion": { "values": ["short"], "total": 1, "hasMore": false } }));
}

/// The levels of the log messages that a call gives.
async fn levels(wire: &mut Wire) -> Vec<Value> {
    wire.start(5, "chatter", json!({})).await;
    let mut levels = Vec::new();
    loop {
        let mut message = wire.next().await;
        if message["id"] == 5 {
            return levels;
        }
        assert_eq!(message["method"], "notifications/message", "no progress was asked for");
        levels.push(message["params"]["level"].take());
    }
}

#[tokio::test]
async fn the_level_of_the_log_is_the_sessions() {
    let mut wire = open("2025-11-25").await;
    assert_eq!(levels(&mut wire).await, ["info", "error"]);
    assert_eq!(wire.result("logging/setLevel", json!({ "level": "debug" })).await, json!({}));
    assert_eq!(levels(&mut wire).await, ["debug", "info", "error"]);
    wire.result("logging/setLevel", json!({ "level": "error" })).await;
    assert_eq!(levels(&mut wire).await, ["error"]);
    for params in [json!({ "level": "loud" }), json!({ "level": 3 }), json!({})] {
        assert_eq!(wire.error("logging/setLevel", params).await["code"], -32602);
    }
    assert_eq!(levels(&mut wire).await, ["error"]);
}

/// `message` of progress came with 2025-03-26.
#[tokio::test]
async fn progress_is_told_to_those_who_ask() {
    for (revision, message) in [("2024-11-05", None), ("2025-03-26", Some(json!("half")))] {
        let mut wire = open(revision).await;
        wire.result("logging/setLevel", json!({ "level": "emergency" })).await;
        let params = json!({ "name": "chatter", "_meta": { "progressToken": "p" } });
        wire.send(json!({ "jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": params })).await;
        let progress = wire.next().await;
        assert_eq!(progress["method"], "notifications/progress");
        assert_eq!(progress["params"]["progressToken"], "p");
        assert_eq!(progress["params"].get("message"), message.as_ref(), "{revision}");
        assert_eq!(wire.next().await["id"], 6);
    }
}
