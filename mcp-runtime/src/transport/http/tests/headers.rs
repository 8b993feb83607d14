//! Standard headers against the body (Standard Request Headers, Server Validation).

use http::HeaderMap;
use serde_json::json;

use super::client::{Answer, add, call, message, post, post_with, set, unset};
use super::fixture::server;

/// The message of the mismatch; `None` for a call that is served.
async fn verdict(body: &serde_json::Value, change: impl FnOnce(&mut HeaderMap)) -> Option<String> {
    let service = server().into_service().unwrap();
    let answer = Answer::of(call(&service, post_with(body, change)).await).await;
    if answer.status == 200 {
        return None;
    }
    assert_eq!(answer.refusal(), (400, json!(7), -32020));
    Some(answer.message().strip_prefix("Header mismatch: ").unwrap().to_owned())
}

#[tokio::test]
async fn each_header_is_required() {
    for (name, fault) in [
        (
            "mcp-protocol-version",
            "the MCP-Protocol-Version header is missing; the body value is '2026-07-28'",
        ),
        ("mcp-method", "the Mcp-Method header is missing; the body value is 'tools/call'"),
        ("mcp-name", "the Mcp-Name header is missing; the body value is 'http_add'"),
    ] {
        assert_eq!(verdict(&add(), unset(name)).await.as_deref(), Some(fault));
    }
    assert_eq!(verdict(&message("tools/list", json!({})), unset("mcp-name")).await, None);
}

#[tokio::test]
async fn each_header_has_to_match() {
    for (name, value, fault) in [
        (
            "mcp-protocol-version",
            "2025-11-25",
            "MCP-Protocol-Version header value '2025-11-25' does not match body value '2026-07-28'",
        ),
        (
            "mcp-method",
            "TOOLS/CALL",
            "Mcp-Method header value 'TOOLS/CALL' does not match body value 'tools/call'",
        ),
        ("mcp-name", "foo", "Mcp-Name header value 'foo' does not match body value 'http_add'"),
        ("mcp-name", "", "Mcp-Name header value '' does not match body value 'http_add'"),
    ] {
        assert_eq!(verdict(&add(), set(name, value)).await.as_deref(), Some(fault));
    }
}

/// Neither of two versions can be judged to be spoken; "if the values do not match, the server MUST reject the request"
/// as a mismatch.
#[tokio::test]
async fn a_version_has_to_match_before_it_is_judged() {
    let mut body = add();
    body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("1900-01-01");
    assert_eq!(
        verdict(&body, |_| {}).await.as_deref(),
        Some("MCP-Protocol-Version header value '2026-07-28' does not match body value '1900-01-01'")
    );
}

#[tokio::test]
async fn a_header_given_twice_is_refused_even_when_both_agree() {
    let twice = |headers: &mut HeaderMap| {
        headers.append("mcp-name", "http_add".parse().unwrap());
    };
    let fault = "the Mcp-Name header is given more than once";
    assert_eq!(verdict(&add(), twice).await.as_deref(), Some(fault));
}

#[tokio::test]
async fn white_space_around_a_value_is_no_part_of_it() {
    assert_eq!(verdict(&add(), set("mcp-name", "  http_add \t")).await, None);
    assert_eq!(verdict(&add(), set("mcp-method", " tools/call ")).await, None);
}

#[tokio::test]
async fn only_names_may_be_encoded() {
    assert_eq!(verdict(&add(), set("mcp-name", "=?base64?aHR0cF9hZGQ=?=")).await, None);
    assert_eq!(
        verdict(&add(), set("mcp-name", "=?base64?aHR0cF9hZGQ?=")).await.as_deref(),
        Some("Mcp-Name header value '=?base64?aHR0cF9hZGQ?=' is not valid Base64")
    );
    let encoded = verdict(&add(), set("mcp-method", "=?base64?dG9vbHMvY2FsbA==?=")).await;
    assert!(encoded.unwrap().ends_with("does not match body value 'tools/call'"));
}

#[tokio::test]
async fn a_resource_is_named_by_its_uri() {
    let read = message("resources/read", json!({ "uri": "fixture://notes/größe" }));
    assert_eq!(verdict(&read, set("mcp-name", "=?base64?Zml4dHVyZTovL25vdGVzL2dyw7bDn2U=?=")).await, None);
    let raw = |headers: &mut HeaderMap| {
        let value = http::HeaderValue::from_bytes("fixture://notes/größe".as_bytes()).unwrap();
        headers.insert("mcp-name", value);
    };
    let fault = verdict(&read, raw).await.unwrap();
    assert!(fault.contains("contains invalid characters; send what is not plain ASCII as"), "{fault}");
}

#[tokio::test]
async fn a_name_that_only_the_header_has_is_a_mismatch() {
    let call = message("tools/call", json!({}));
    assert_eq!(
        verdict(&call, set("mcp-name", "http_add")).await.as_deref(),
        Some("Mcp-Name header value 'http_add' has no value in the body to match")
    );
    assert_eq!(
        verdict(&call, |_| {}).await.as_deref(),
        Some("the Mcp-Name header is missing, and so is its value in the body")
    );
}

#[tokio::test]
async fn sessions_and_resumption_are_ignored() {
    let service = server().into_service().unwrap();
    let request = post_with(&add(), |headers| {
        headers.insert("mcp-session-id", "abc".parse().unwrap());
        headers.insert("last-event-id", "5".parse().unwrap());
    });
    let answer = Answer::of(call(&service, request).await).await;
    assert_eq!(answer.text(), "3");
    assert_eq!(answer.header("mcp-session-id"), None);
    assert_eq!(Answer::of(call(&service, post(&add())).await).await.text(), "3");
}
