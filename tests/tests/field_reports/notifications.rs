//! Progress and log messages.

use std::sync::{Arc, Mutex};

use mcp_runtime::prelude::*;
use mcp_tests::client;
use serde_json::{Value, json};

use super::{code, request};

/// Work in steps.
#[tool]
async fn work(ctx: &Context) -> &'static str {
    for step in [1.0, 2.0, 2.0, 1.0, 3.0] {
        ctx.progress(step, 3.0, "");
        tokio::task::yield_now().await;
    }
    "done"
}

/// Talk.
#[tool]
fn talk(ctx: &Context) -> &'static str {
    ctx.log(LogLevel::Debug, "details");
    ctx.log(LogLevel::Warning, json!({ "left": 1 }));
    ctx.log(LogLevel::Error, "it broke");
    "done"
}

async fn exchanged(token: &str) -> Vec<Value> {
    let message =
        request("1", "tools/call", json!({ "name": "work", "_meta": { "progressToken": "TOKEN" } }));
    client(module_path!()).send(message.replace(r#""TOKEN""#, token)).await
}

/// `modelcontextprotocol/python-sdk#176`: the token 0 is a token, and so is the empty text.
#[tokio::test]
async fn a_progress_token_that_looks_like_nothing_is_a_token() {
    for token in ["0", r#""""#, r#""0""#, "-5", "12345678901234567890"] {
        let sent = exchanged(token).await;
        assert_eq!(sent.len(), 4, "{sent:?}");
        let expected: Value = serde_json::from_str(token).expect("tokens are JSON");
        assert_eq!(sent[0]["params"]["progressToken"], expected);
    }
}

/// `shaun0927/openchrome#954`: "The progress value MUST increase with each notification"; equal does not increase.
#[tokio::test]
async fn progress_only_grows_and_ends_before_the_answer() {
    let sent = exchanged("1").await;
    let progress: Vec<_> = sent.iter().map(|message| message["params"]["progress"].clone()).collect();
    assert_eq!(progress, [json!(1), json!(2), json!(3), Value::Null]);
    assert_eq!(sent[3]["result"]["content"][0]["text"], "done");
    assert_eq!(sent[0]["params"].get("message"), None);
}

/// `malaksedarous/context-optimizer-mcp-server#26`: nobody who did not ask gets progress.
#[tokio::test]
async fn without_a_token_there_is_no_progress() {
    let sent = client(module_path!()).send(request("1", "tools/call", json!({ "name": "work" }))).await;
    assert_eq!(sent.len(), 1);
}

/// A token of another type is a malformed request.
#[tokio::test]
async fn a_progress_token_of_another_type_is_invalid_params() {
    for token in ["1.5", "true", "{}", "[]"] {
        let sent = exchanged(token).await;
        assert_eq!(sent[0]["error"]["code"], -32602, "{sent:?}");
    }
}

/// `joshrotenberg/tower-mcp#376`: the level that was asked for is the least that is sent; without one, nothing is.
#[tokio::test]
async fn log_messages_are_filtered_by_the_level_asked_for() {
    let client = client(module_path!());
    let sent = client.send(request("1", "tools/call", json!({ "name": "talk" }))).await;
    assert_eq!(sent.len(), 1, "{sent:?}");
    for (level, expected) in [("debug", 3), ("notice", 2), ("error", 1), ("emergency", 0)] {
        let levels = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&levels);
        client
            .call("talk", json!({}))
            .meta("io.modelcontextprotocol/logLevel", level)
            .on_notification(move |message| {
                seen.lock().expect("no panic").push(message["params"]["level"].clone());
            })
            .await
            .expect("the call is served");
        assert_eq!(levels.lock().expect("no panic").len(), expected, "{level}: {levels:?}");
    }
    let unknown = client.call("talk", json!({})).meta("io.modelcontextprotocol/logLevel", "verbose");
    assert_eq!(code(unknown.await), -32602);
}
