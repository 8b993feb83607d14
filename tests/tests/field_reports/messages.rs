//! The outer shape of messages: ids, framing, methods, versions.

use mcp_runtime::prelude::*;
use mcp_tests::client;
use serde_json::{Value, json};

use super::request;

/// Say hello.
#[tool]
fn hello() -> &'static str {
    "hello"
}

async fn answer(message: impl Into<Vec<u8>>) -> Value {
    let mut sent = client(module_path!()).send(message).await;
    assert_eq!(sent.len(), 1, "{sent:?}");
    sent.remove(0)
}

/// `radareorg/radare2-mcp#68`: the id comes back as it was sent, whatever it is.
#[tokio::test]
async fn the_id_is_echoed_exactly() {
    let client = client(module_path!());
    for id in ["0", "-1", "42", r#""req-abc""#, r#""""#, r#""0""#, "12345678901234567890123", r#""\u0061\"""#]
    {
        let sent = client.send(request(id, "tools/list", json!({}))).await;
        let expected: Value = serde_json::from_str(id).expect("ids are JSON");
        assert_eq!(sent[0]["id"], expected, "{id}");
        assert!(sent[0]["result"]["tools"].is_array(), "{sent:?}");
    }
}

/// `damionrashford/RivalSearchMCP#5`: an id is "a string or integer" and "MUST NOT be null".
#[tokio::test]
async fn an_id_that_is_no_id_is_an_invalid_request() {
    for id in ["null", "1.5", "true", "{}", "[1]"] {
        let sent = answer(request(id, "tools/list", json!({}))).await;
        assert_eq!(sent["error"]["code"], -32600, "{sent}");
        assert_eq!(sent.get("id"), None, "an id that cannot be read is left out");
    }
}

/// `BaseIntelligence/bounty-challenge#51392`: a parse error is not an answer to request 0.
#[tokio::test]
async fn a_parse_error_has_no_id() {
    for text in ["{", "{\"jsonrpc\":\"2.0\",\"id\":7,", "nonsense", "{\"a\":1}{\"b\":2}", ""] {
        let sent = answer(text).await;
        assert_eq!(sent["error"]["code"], -32700, "{text:?}: {sent}");
        assert_eq!(sent.get("id"), None);
    }
    let sent = answer(vec![b'{', 0xff, b'}']).await;
    assert_eq!(sent["error"]["code"], -32700);
}

/// `modelcontextprotocol/rust-sdk#825`, `#833`: Windows tools put a byte order mark first and a carriage return last.
#[tokio::test]
async fn a_byte_order_mark_and_a_carriage_return_are_no_error() {
    let message = format!("\u{feff}{}\r", request("1", "tools/list", json!({})));
    assert!(answer(message).await["result"]["tools"].is_array());
}

/// `modelcontextprotocol/rust-sdk#213`: an envelope of another shape gets a sentence, and its id back.
#[tokio::test]
async fn a_message_without_a_method_is_an_invalid_request() {
    let sent = answer(r#"{"jsonrpc":"2.0","id":"1","request":{"method":"tools/list"}}"#).await;
    assert_eq!((&sent["id"], &sent["error"]["code"]), (&json!("1"), &json!(-32600)));
    assert_eq!(sent["error"]["message"], "Invalid Request: `method` is missing");
}

/// `modelcontextprotocol/java-sdk#130`: notifications that mean nothing here are passed over in silence.
#[tokio::test]
async fn unknown_notifications_are_ignored() {
    let client = client(module_path!());
    for method in ["notifications/initialized", "notifications/cancelled", "notifications/nonsense"] {
        let sent = client.send(format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#)).await;
        assert_eq!(sent, Vec::<Value>::new());
    }
}

/// `modelcontextprotocol/rust-sdk#1446`: what was not advertised, and what this revision dropped, is no method.
#[tokio::test]
async fn a_method_that_is_not_served_is_not_found() {
    let client = client(module_path!());
    for method in
        ["ping", "logging/setLevel", "resources/subscribe", "prompts/list", "Tools/List", "nonsense"]
    {
        let sent = client.send(request("1", method, json!({}))).await;
        assert_eq!(sent[0]["error"]["code"], -32601, "{method}: {sent:?}");
    }
}

/// `modelcontextprotocol/conformance#312`: without its metadata a request is malformed.
#[tokio::test]
async fn a_request_without_its_metadata_is_invalid_params() {
    let without_meta = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    assert_eq!(answer(without_meta).await["error"]["code"], -32602);
    let without_capabilities = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":
        {"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
    assert_eq!(answer(without_capabilities).await["error"]["code"], -32602);
}

/// Clients that know older revisions only are told which one is spoken, and rmcp's automatic mode reads it there.
#[tokio::test]
async fn an_unknown_version_is_answered_with_the_known_ones() {
    let message = request("1", "server/discover", json!({})).replace("2026-07-28", "1999-01-01");
    let sent = answer(message).await;
    assert_eq!(sent["error"]["code"], -32022);
    assert_eq!(sent["error"]["data"]["requested"], "1999-01-01");
    assert!(
        sent["error"]["data"]["supported"].as_array().is_some_and(|list| list.contains(&json!("2026-07-28")))
    );
}

/// `PrefectHQ/fastmcp#5025`, `DeusData/codebase-memory-mcp#1247`, `modelcontextprotocol/java-sdk#575`: the last page
/// has no `nextCursor`, neither null nor empty, and the empty string is a cursor that nobody gave out.
#[tokio::test]
async fn the_last_page_has_no_cursor_and_a_foreign_one_is_refused() {
    let client = client(module_path!());
    let page = client.request("tools/list", json!({})).await.expect("lists are served");
    assert_eq!(page.get("nextCursor"), None);
    let page = client.request("tools/list", json!({ "cursor": null })).await.expect("null is no cursor");
    assert_eq!(page["tools"].as_array().map(Vec::len), Some(1));
    for cursor in ["", "0", "1", "bm9uc2Vuc2U="] {
        let error =
            client.request("tools/list", json!({ "cursor": cursor })).await.expect_err("it is foreign");
        assert_eq!(error.code(), -32602, "{cursor:?}");
    }
}
