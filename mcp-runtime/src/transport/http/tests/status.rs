//! The status of every kind of request (Sending Messages, Protocol Version Header, Server Validation).

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Method, Request};
use http_body::{Body, Frame};
use http_body_util::Full;
use serde_json::{Value, json};

use super::client::{Answer, Served, add, call, message, post, post_with, set, tool, unset};
use super::fixture::{Gate, server};
use crate::Eras;

#[tokio::test]
async fn a_call_is_answered_as_json() {
    let served = Served::new(server()).await;
    let answer = served.send(post(&add())).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json()["id"], 7);
    assert_eq!(answer.text(), "3");
    assert_eq!(answer.header("cache-control"), None);
    for (method, params) in [
        ("server/discover", json!({})),
        ("tools/list", json!({})),
        ("prompts/get", json!({ "name": "http_greet" })),
    ] {
        let answer = served.send(post(&message(method, params))).await;
        assert_eq!(answer.status, 200, "{method}");
        assert_eq!(answer.json()["result"]["resultType"], "complete", "{method}");
    }
}

#[tokio::test]
async fn a_notification_is_accepted_without_a_body() {
    let served = Served::new(server()).await;
    for method in ["notifications/cancelled", "notifications/unheard-of"] {
        let notification = json!({ "jsonrpc": "2.0", "method": method, "params": { "requestId": 1 } });
        // "Header requirements for notification POSTs are not defined by this revision."
        let request = post_with(&notification, |headers| {
            headers.remove("mcp-method");
            headers.remove("mcp-protocol-version");
        });
        let answer = served.send(request).await;
        assert_eq!((answer.status.as_u16(), answer.body.as_str()), (202, ""));
        assert_eq!(answer.header("content-type"), None);
    }
}

#[tokio::test]
async fn what_is_no_message_is_400() {
    let served = Served::new(server()).await;
    let send = async |body: &'static str| {
        let mut request = post(&add());
        *request.body_mut() = Full::from(body);
        served.send(request).await.refusal()
    };
    assert_eq!(send("").await, (400, Value::Null, -32700));
    assert_eq!(send("{").await, (400, Value::Null, -32700));
    assert_eq!(send("[]").await, (400, Value::Null, -32600));
    assert_eq!(send(r#"{"jsonrpc":"1.0","id":"a","method":"x"}"#).await, (400, json!("a"), -32600));
    assert_eq!(send(r#"{"jsonrpc":"2.0","id":null,"method":"x"}"#).await, (400, Value::Null, -32600));
    // "The client MUST NOT send JSON-RPC responses."
    assert_eq!(send(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).await, (400, Value::Null, -32600));
}

#[tokio::test]
async fn admission_is_judged_before_headers() {
    let served = Served::new(server()).await;
    let mut request = add();
    request["params"]["_meta"] = json!({});
    let answer = served.send(post_with(&request, unset("mcp-name"))).await;
    assert_eq!(answer.refusal(), (400, json!(7), -32602));

    let mut request = add();
    request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("1900-01-01");
    let answer = served.send(post_with(&request, set("mcp-protocol-version", "1900-01-01"))).await;
    assert_eq!(answer.refusal(), (400, json!(7), -32022));
    assert_eq!(
        answer.json()["error"]["data"],
        json!({ "supported": ["2026-07-28"], "requested": "1900-01-01" })
    );

    let served = Served::new(server().eras(Eras::Modern)).await;
    let initialize = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {} });
    let answer = served.send(post_with(&initialize, unset("mcp-protocol-version"))).await;
    assert_eq!(answer.refusal(), (400, json!(1), -32022));
}

#[tokio::test]
async fn an_unknown_method_is_404() {
    let served = Served::new(server()).await;
    let answer = served.send(post(&message("tools/unheard-of", json!({})))).await;
    assert_eq!(answer.refusal(), (404, json!(7), -32601));
    // Headers come first: an intermediary may have decided on them.
    let answer = served.send(post_with(&message("a/b", json!({})), set("mcp-method", "tools/list"))).await;
    assert_eq!(answer.refusal(), (400, json!(7), -32020));
}

#[tokio::test]
async fn errors_of_handlers_are_200_unless_the_specification_says_otherwise() {
    let served = Served::new(server()).await;
    for (code, status) in
        [(-32021, 400), (-32022, 400), (-32601, 200), (-32602, 200), (-32603, 200), (1, 200)]
    {
        let answer = served.send(post(&tool("http_fail", &json!({ "code": code })))).await;
        assert_eq!(answer.refusal(), (status, json!(7), code));
    }
    let answer = served.send(post(&tool("http_unheard_of", &json!({})))).await;
    assert_eq!(answer.refusal(), (200, json!(7), -32602));
}

#[tokio::test]
async fn other_methods_are_405() {
    let served = Served::new(server()).await;
    for method in [Method::GET, Method::DELETE, Method::PUT, Method::OPTIONS] {
        let mut request = post(&add());
        *request.method_mut() = method;
        let answer = served.send(request).await;
        assert_eq!(answer.refusal(), (405, Value::Null, -32600));
        assert_eq!(answer.header("allow"), Some("POST"));
    }
}

#[tokio::test]
async fn other_paths_are_404_and_name_the_endpoint() {
    let served = Served::new(server().endpoint("api/mcp")).await;
    let answer = served.send(post(&add())).await;
    assert_eq!(answer.refusal(), (404, Value::Null, -32600));
    assert_eq!(
        answer.message(),
        r#"Invalid Request: there is nothing at "/mcp"; the endpoint is "/api/mcp""#
    );
    for path in ["/api/mcp?query", "/api/mcp/", "/api/mcp/?query"] {
        let mut request = post(&add());
        *request.uri_mut() = path.parse().unwrap();
        assert_eq!(served.send(request).await.text(), "3", "{path}");
    }
    for path in ["/api/mcp//", "/api/mcp/more", "//api/mcp", "/api"] {
        let mut request = post(&add());
        *request.uri_mut() = path.parse().unwrap();
        assert_eq!(served.send(request).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn only_json_is_taken() {
    let served = Served::new(server()).await;
    for content_type in ["application/json; charset=utf-8", "Application/JSON", " application/json ;a=b"] {
        let answer = served.send(post_with(&add(), set("content-type", content_type))).await;
        assert_eq!(answer.text(), "3", "{content_type}");
    }
    for content_type in ["text/plain", "application/jsonl", "application/x-www-form-urlencoded", ""] {
        let answer = served.send(post_with(&add(), set("content-type", content_type))).await;
        assert_eq!(answer.refusal(), (415, Value::Null, -32600), "{content_type}");
    }
    let answer = served.send(post_with(&add(), unset("content-type"))).await;
    assert_eq!(answer.refusal(), (415, Value::Null, -32600));
    assert_eq!(answer.message(), "Invalid Request: send `Content-Type: application/json`; it is missing");
    let answer = served.send(post_with(&add(), set("content-encoding", "gzip"))).await;
    assert_eq!(answer.refusal(), (415, Value::Null, -32600));
}

#[tokio::test]
async fn a_body_over_the_limit_is_413() {
    let served = Served::new(server().body_limit(1000)).await;
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    // Nothing of it is sent, so nothing of it can have been waited for.
    let announced = served.raw(format!("{head}content-length: 1001\r\n\r\n").as_bytes()).await;
    assert!(announced.starts_with("HTTP/1.1 413 Payload Too Large\r\n"), "{announced}");
    assert!(announced.contains("connection: close\r\n"), "{announced}");
    assert!(announced.ends_with(
        r#""Invalid Request: the message is larger than 1000 bytes, the most that this server takes"}}"#
    ));

    let chunk = "x".repeat(1001);
    let chunked = format!("{head}transfer-encoding: chunked\r\n\r\n3e9\r\n{chunk}\r\n");
    let chunked = served.raw(chunked.as_bytes()).await;
    assert!(chunked.starts_with("HTTP/1.1 413 Payload Too Large\r\n"), "{chunked}");

    let mut exact = add().to_string();
    exact.push_str(&" ".repeat(1000 - exact.len()));
    let mut request = post(&add());
    *request.body_mut() = Full::from(exact);
    assert_eq!(served.send(request).await.text(), "3");
}

/// Frames, and then nothing, without an end.
struct Stalling(Vec<&'static str>);

impl Body for Stalling {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.get_mut().0.pop() {
            Some(text) => Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(text.as_bytes()))))),
            None => Poll::Pending,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_stalls_is_408() {
    let service = server().into_service().unwrap();
    let (parts, _) = post(&add()).into_parts();
    let request = Request::from_parts(parts, Stalling(vec!["\"2.0\"", "{\"jsonrpc\":"]));
    let before = tokio::time::Instant::now();
    let answer = Answer::of(call(&service, request).await).await;
    assert_eq!(before.elapsed(), super::super::request::READ_TIMEOUT);
    assert_eq!(answer.refusal(), (408, Value::Null, -32600));
}

#[tokio::test]
async fn one_request_too_many_is_503() {
    let served = Served::new(server().max_in_flight(1)).await;
    let mut gate = Gate::new("overload");
    let request = post(&tool("http_progress", &json!({ "gate": gate.name })));
    let mut first = served.open(request).await;
    gate.started().await;
    let answer = served.send(post(&add())).await;
    assert_eq!(answer.refusal(), (503, Value::Null, -32603));
    assert_eq!(answer.header("retry-after"), Some("1"));
    assert!(answer.message().contains("try again"));
    // The end of the stream makes room again.
    gate.release();
    while super::client::next_piece(first.body_mut()).await.is_some() {}
    assert_eq!(served.send(post(&add())).await.text(), "3");
}
