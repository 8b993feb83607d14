//! Results of tools.

use mcp_runtime::ResourceContents;
use mcp_runtime::prelude::*;
use mcp_tests::client;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::request;

#[derive(Serialize, JsonSchema)]
struct Found {
    id: u32,
}

/// Find, or fail, or find nothing.
#[tool]
fn find(id: Option<u32>) -> Result<Json<Option<Found>>> {
    match id {
        None => Err("no id was given".into()),
        Some(0) => Ok(Json(None)),
        Some(id) => Ok(Json(Some(Found { id }))),
    }
}

/// Do it.
#[tool]
fn act() {}

/// One of each.
#[tool]
fn blocks() -> Vec<Content> {
    vec![
        "text".into(),
        Image::png(vec![1]).into(),
        Audio::new(vec![2], "audio/wav").into(),
        ResourceLink::new("notes://a").into(),
        EmbeddedResource::new(ResourceContents::text("notes://b", "b")).into(),
    ]
}

#[derive(Debug)]
struct Layered(&'static str, Option<Box<Layered>>);

impl std::fmt::Display for Layered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Layered {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.1.as_deref().map(|source| source as _)
    }
}

/// Fail deep down.
#[tool]
fn fail() -> Result<(), Layered> {
    Err(Layered("cannot open the shop", Some(Box::new(Layered("the key is gone", None)))))
}

/// Fall over.
#[tool]
async fn fall() -> String {
    tokio::task::yield_now().await;
    panic!("the password is hunter2")
}

async fn call(name: &str, arguments: Value) -> Value {
    let params = json!({ "name": name, "arguments": arguments });
    client(module_path!()).request("tools/call", params).await.expect("the call is served")
}

/// Text from a web page.
#[tool]
async fn page(ctx: &Context) -> String {
    let raw = RawValue::from_string("[\n  1,\r\n  2\n]".to_owned()).expect("it is JSON");
    ctx.log(LogLevel::Info, &raw);
    ctx.progress(1.0, None, "next\u{2028}page");
    tokio::task::yield_now().await;
    "one\u{2028}two\u{2029}three\u{85}four\nfive".to_owned()
}

fn nulls(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Null => found.push(path.to_owned()),
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| nulls(value, &format!("{path}/{key}"), found));
        }
        Value::Array(items) => items.iter().for_each(|item| nulls(item, path, found)),
        _ => {}
    }
}

/// `Azure/data-api-builder#3599`, `Apicurio/apicurio-registry#6899`: an optional member that is null is rejected by
/// every client that checks; it is left out, in results and in lists.
#[tokio::test]
async fn optional_members_are_left_out_not_null() {
    let client = client(module_path!());
    let mut answers = vec![call("blocks", json!({})).await, call("act", json!({})).await];
    answers.push(client.request("tools/list", json!({})).await.expect("lists are served"));
    answers.push(client.request("server/discover", json!({})).await.expect("it is served"));
    for answer in answers {
        let mut found = Vec::new();
        nulls(&answer, "", &mut found);
        assert_eq!(found, Vec::<String>::new(), "{answer}");
    }
}

/// `modelcontextprotocol/rust-sdk#1434`: `content` is there even where there is none.
#[tokio::test]
async fn a_tool_that_returns_nothing_has_empty_content() {
    let result = call("act", json!({})).await;
    assert_eq!(result["content"], json!([]));
    assert_eq!(result["resultType"], "complete");
}

/// `cyanheads/mcp-ts-core#241`, `mongodb-js/mongodb-mcp-server#869`: a client validated the structured content of a
/// failure against the schema of success.
#[tokio::test]
async fn a_failure_has_no_structured_content() {
    let result = call("find", json!({})).await;
    assert_eq!(result["isError"], true);
    assert_eq!(result["content"], json!([{ "type": "text", "text": "no id was given" }]));
    assert_eq!(result.get("structuredContent"), None);
}

/// `modelcontextprotocol/python-sdk#3345`: null is structured content, and is not left out.
#[tokio::test]
async fn structured_null_is_sent() {
    let result = call("find", json!({ "id": 0 })).await;
    assert_eq!(result.get("structuredContent"), Some(&Value::Null));
    let result = call("find", json!({ "id": 7 })).await;
    assert_eq!(result["structuredContent"], json!({ "id": 7 }));
    assert_eq!(result.get("isError"), None);
}

/// An error's causes are what tells the model what to do.
#[tokio::test]
async fn an_error_is_told_with_its_causes() {
    let result = call("fail", json!({})).await;
    assert_eq!(result["isError"], true);
    let text = result["content"][0]["text"].as_str().expect("it is text");
    assert!(text.contains("cannot open the shop") && text.contains("the key is gone"), "{text}");
}

/// `anthropics/claude-agent-sdk-typescript#137`, `modelcontextprotocol/python-sdk#1356`,
/// `modelcontextprotocol/typescript-sdk#1925`, `openai/codex#45727`: clients end a line at U+2028, U+2029 or U+0085, and
/// the call hangs; a raw newline, of JSON that is passed on as text, ends it everywhere.
#[tokio::test]
async fn a_message_is_one_line_for_every_reader() {
    let meta = json!({ "io.modelcontextprotocol/logLevel": "info", "progressToken": "a\u{2028}b" });
    let call = request("\"\u{2029}\"", "tools/call", json!({ "name": "page", "_meta": meta })) + "\n";
    let unknown = request("1", "tools/call", json!({ "name": "\u{85}" })) + "\n";
    let input = call + &unknown;
    let mut output = Vec::new();
    let server = mcp_tests::server(module_path!());
    server.serve_io(input.as_bytes(), &mut output).await.expect("the streams are in memory");
    let output = String::from_utf8(output).expect("messages are UTF-8");
    let lines: Vec<&str> = output.split_terminator(['\n', '\r', '\u{2028}', '\u{2029}', '\u{85}']).collect();
    let messages = lines.into_iter().map(|line| serde_json::from_str(line).expect("a line is a message"));
    let messages: Vec<Value> = messages.collect();
    assert_eq!(messages.len(), 4, "{messages:?}");
    let find = |key: &str, value: Value| {
        messages
            .iter()
            .find(|message| message[key] == value)
            .unwrap_or_else(|| panic!("{value} in {messages:?}"))
    };
    assert_eq!(find("method", json!("notifications/message"))["params"]["data"], json!([1, 2]));
    let progress = &find("method", json!("notifications/progress"))["params"];
    assert_eq!(
        (&progress["progressToken"], &progress["message"]),
        (&json!("a\u{2028}b"), &json!("next\u{2028}page"))
    );
    let text = "one\u{2028}two\u{2029}three\u{85}four\nfive";
    assert_eq!(find("id", json!("\u{2029}"))["result"]["content"][0]["text"], text);
    assert_eq!(find("id", json!(1))["error"]["code"], -32602);
}

/// `modelcontextprotocol/rust-sdk#106`: a panic is answered, tells nothing, and the next call works.
#[tokio::test]
async fn a_panic_is_answered_and_told_nobody() {
    let client = client(module_path!());
    let error = client.call("fall", json!({})).await.expect_err("it fell over");
    assert_eq!(error.code(), -32603);
    assert!(!format!("{error:?}").contains("hunter2"));
    assert!(client.call("act", json!({})).await.is_ok());
}
