//! `initialize`, and which era a request belongs to (basic/versioning).

use mcp_runtime::Eras;
use mcp_runtime::prelude::*;
use mcp_tests::{request, server};
use serde_json::{Value, json};

use crate::wire::Wire;

/// Add two numbers.
#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn wire() -> Wire {
    Wire::new(server(module_path!()))
}

fn sum() -> Value {
    json!({ "name": "add", "arguments": { "a": 1, "b": 2 } })
}

#[tokio::test]
async fn the_clients_revision_is_spoken_or_the_latest() {
    for (asked, spoken) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1.0", "2025-11-25"),
    ] {
        let mut wire = wire();
        let result = wire.initialize(asked, json!({})).await;
        assert_eq!(result["protocolVersion"], spoken, "{asked}");
        assert_eq!(result["serverInfo"], json!({ "name": "tests", "version": "1.2.3" }));
        assert_eq!(result["capabilities"], json!({ "logging": {}, "tools": {} }));
        let called = wire.result("tools/call", sum()).await;
        assert_eq!(called, json!({ "content": [{ "type": "text", "text": "3" }] }), "{asked}");
        assert_eq!(wire.close().await, [] as [Value; 0]);
    }
}

#[tokio::test]
async fn a_handshake_that_says_no_version_is_told_so() {
    let mut wire = wire();
    for params in [json!({}), json!({ "protocolVersion": 20_251_125 }), json!([])] {
        let error = wire.error("initialize", params).await;
        assert_eq!(error["code"], -32602, "{error}");
    }
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": [] });
    assert_eq!(wire.error("initialize", params).await["code"], -32602);
    // The stream is of use all the same.
    wire.initialize("2025-06-18", json!({})).await;
    wire.result("tools/call", sum()).await;
}

/// "A dual-era server MAY serve both eras concurrently on the same endpoint or process."
#[tokio::test]
async fn both_eras_share_a_stream() {
    let mut wire = Wire::open(server(module_path!()), "2025-11-25", json!({})).await;
    let modern = request(7, "tools/call", sum());
    wire.send(modern).await;
    let answer = wire.next().await;
    assert_eq!((&answer["id"], &answer["result"]["resultType"]), (&json!(7), &json!("complete")));
    let legacy = wire.result("tools/call", sum()).await;
    assert_eq!(legacy.get("resultType"), None);
    // What only one of them has, the other does not know.
    assert_eq!(wire.error("server/discover", json!({})).await["code"], -32601);
    wire.send(request(8, "ping", json!({}))).await;
    assert_eq!(wire.next().await["error"]["code"], -32601);
}

#[tokio::test]
async fn before_the_handshake_only_a_ping_is_answered() {
    let mut wire = wire();
    assert_eq!(wire.result("ping", json!({})).await, json!({}));
    assert_eq!(wire.error("tools/list", json!({})).await["code"], -32602);
    wire.initialize("2025-11-25", json!({})).await;
    assert_eq!(wire.result("ping", json!({})).await, json!({}));
}

/// "A server that supports only modern versions SHOULD name the protocol versions it supports in any error it returns
/// to an `initialize` request."
#[tokio::test]
async fn a_modern_server_names_its_versions() {
    let mut wire = Wire::new(server(module_path!()).eras(Eras::Modern));
    let error =
        wire.error("initialize", json!({ "protocolVersion": "2025-11-25", "capabilities": {} })).await;
    assert_eq!(error["code"], -32022);
    assert_eq!(error["data"], json!({ "supported": ["2026-07-28"], "requested": "2025-11-25" }));
    assert_eq!(wire.error("ping", json!({})).await["code"], -32602);
}

/// A client that probes falls back to `initialize` on any error but those of modern servers.
#[tokio::test]
async fn a_legacy_server_sends_a_prober_to_the_handshake() {
    let mut wire = Wire::new(server(module_path!()).eras(Eras::Legacy));
    wire.send(request(1, "server/discover", json!({}))).await;
    let error = &wire.next().await["error"];
    assert_eq!(error["code"], -32600, "{error}");
    assert!(error["message"].as_str().unwrap().contains("initialize"));
    wire.initialize("2025-11-25", json!({})).await;
    wire.send(request(2, "tools/call", sum())).await;
    assert_eq!(wire.next().await["result"].get("resultType"), None);
}

#[tokio::test]
async fn a_second_handshake_starts_over() {
    let mut wire = Wire::open(server(module_path!()), "2024-11-05", json!({})).await;
    assert_eq!(wire.initialize("2025-06-18", json!({})).await["protocolVersion"], "2025-06-18");
    wire.result("tools/call", sum()).await;
}
