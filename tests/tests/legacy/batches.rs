//! Several messages in one line (2025-03-26, basic/index, Batching).

use mcp_runtime::prelude::*;
use mcp_tests::server;
use serde_json::{Value, json};

use crate::wire::Wire;

/// Give back what was sent, now or later.
#[tool]
async fn echo(text: String, later: bool) -> String {
    if later {
        tokio::task::yield_now().await;
    }
    text
}

/// Never end.
#[tool]
async fn hang() -> &'static str {
    std::future::pending().await
}

fn call(id: u64, text: &str, later: bool) -> Value {
    let params = json!({ "name": "echo", "arguments": { "text": text, "later": later } });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

async fn open(revision: &str) -> Wire {
    Wire::open(server(module_path!()), revision, json!({})).await
}

/// What each response of an array says, by its id.
fn said(batch: &Value) -> Vec<(u64, Value)> {
    let said = |response: &Value| {
        let result = response["result"]["content"][0]["text"].clone();
        (
            response["id"].as_u64().unwrap_or_default(),
            if result.is_null() { response["error"]["code"].clone() } else { result },
        )
    };
    let mut said: Vec<_> = batch.as_array().expect("it is a batch").iter().map(said).collect();
    said.sort_by_key(|(id, _)| *id);
    said
}

#[tokio::test]
async fn a_batch_is_answered_with_a_batch() {
    let mut wire = open("2025-03-26").await;
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    wire.send(json!([call(1, "one", true), initialized, call(2, "two", false), 3, { "jsonrpc": "2.0", "id": 4, "method": "nope" }])).await;
    let answers = wire.next().await;
    assert_eq!(
        said(&answers),
        [(0, json!(-32600)), (1, json!("one")), (2, json!("two")), (4, json!(-32601))]
    );
    // "The Server MUST NOT return an empty Array and should return nothing at all."
    wire.send(json!([initialized, initialized])).await;
    assert_eq!(wire.result("ping", json!({})).await, json!({}));
    assert_eq!(wire.close().await, [] as [Value; 0]);
}

#[tokio::test]
async fn what_is_cancelled_is_left_out() {
    let mut wire = open("2025-03-26").await;
    let hang = json!({ "jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": { "name": "hang" } });
    wire.send(json!([hang, call(1, "one", false)])).await;
    wire.send(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 9 } }))
        .await;
    assert_eq!(said(&wire.next().await), [(1, json!("one"))]);
}

#[tokio::test]
async fn an_array_that_is_no_batch_is_refused() {
    let mut wire = open("2025-03-26").await;
    let many = format!("[{}]", vec!["1"; 5_000].join(","));
    // "The `initialize` request MUST NOT be part of a JSON-RPC batch" (2025-03-26, basic/lifecycle).
    let opening = r#"[{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#;
    for (line, code) in [("[]", -32600), ("[1,", -32700), (&*many, -32600), (opening, -32600)] {
        wire.send_line(line).await;
        let answer = wire.next().await;
        assert_eq!(answer["error"]["code"], code, "{answer}");
    }
    for revision in ["2024-11-05", "2025-06-18", "2025-11-25"] {
        let mut wire = open(revision).await;
        wire.send(json!([call(1, "one", false)])).await;
        assert_eq!(wire.next().await["error"]["code"], -32600, "{revision}");
    }
}
