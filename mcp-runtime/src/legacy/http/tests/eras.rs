//! Both eras at once, and each by itself (2026-07-28, basic/versioning, Backward Compatibility).

use http::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::fixture::{Client, Gate, initialize, post, server, with};
use crate::Eras;
use crate::transport::http::tests::client::{
    Answer, Served, add, call, message, post as modern, post_with, set, soon,
};

#[tokio::test]
async fn a_modern_request_is_one_whatever_session_it_names() {
    let client = Client::of(server(), "2025-11-25").await;
    for session in [&*client.session, "gone", "\t"] {
        let mut request = modern(&add());
        request.headers_mut().insert("mcp-session-id", session.parse().unwrap());
        let answer = Answer::of(client.open(request).await).await;
        assert_eq!(answer.text(), "3");
        assert_eq!(answer.json()["result"]["resultType"], "complete");
        assert_eq!(answer.header("mcp-session-id"), None);
    }
    // What the header calls modern is judged as such.
    let answer = client.send_with(&client.add(), set("mcp-protocol-version", "2026-07-28")).await;
    assert_eq!(answer.refusal(), (400, json!(2), -32602));
    let begin = with(post(&initialize("2025-11-25")), "mcp-protocol-version", "2026-07-28");
    let answer = Answer::of(client.open(begin).await).await;
    assert_eq!(answer.refusal(), (400, json!(1), -32022));
    for method in [Method::GET, Method::DELETE] {
        let request = with(client.bare(method), "mcp-protocol-version", "2026-07-28");
        assert_eq!(client.status(request).await, 405);
    }
    assert_eq!(client.send(&client.add()).await.text(), "3");
}

#[tokio::test]
async fn both_eras_share_one_connection() {
    let served = Served::new(server()).await;
    let begun = served.send(post(&initialize("2025-06-18"))).await;
    let session = begun.header("mcp-session-id").unwrap();
    let old = json!({
        "jsonrpc": "2.0", "id": 5, "method": "tools/call",
        "params": { "name": "http_add", "arguments": { "a": 2, "b": 2 } },
    });
    let written = |request: http::Request<_>, body: &Value| {
        let body = body.to_string();
        let headers = request.headers().iter();
        let lines: Vec<_> =
            headers.map(|(name, value)| format!("{name}: {}\r\n", value.to_str().unwrap())).collect();
        format!("POST /mcp HTTP/1.1\r\ncontent-length: {}\r\n{}\r\n{body}", body.len(), lines.concat())
    };
    let old = written(with(post(&old), "mcp-session-id", session), &old);
    let new = written(modern(&add()), &add());
    let mut stream = served.stream(b"").await;
    stream.write_all(format!("{old}{new}{old}{new}").as_bytes()).await.unwrap();
    let mut read = String::new();
    let all = async {
        let mut buffer = [0; 4096];
        while read.matches("\"jsonrpc\"").count() < 4 {
            let count = stream.read(&mut buffer).await.unwrap();
            assert_ne!(count, 0, "{read}");
            read.push_str(std::str::from_utf8(&buffer[..count]).unwrap());
        }
    };
    soon(all).await;
    let answers = |text: &str| read.matches(text).count();
    assert_eq!((answers("\"text\":\"4\""), answers("\"text\":\"3\"")), (2, 2), "{read}");
    assert_eq!(answers("\"resultType\":\"complete\""), 2);
}

#[tokio::test]
async fn calls_of_both_eras_do_not_meet() {
    let client = Client::of(server(), "2025-11-25").await;
    let mut gate = Gate::new("lh both eras");
    let (id, body) = client.waiting(&mut gate).await;
    let mut request = add();
    request["id"] = id.clone();
    assert_eq!(Answer::of(client.open(modern(&request)).await).await.text(), "3");
    // A modern notification cancels nothing.
    let cancelled = super::fixture::cancelled(&id);
    let change = set("mcp-protocol-version", "2026-07-28");
    assert_eq!(client.send_with(&cancelled, change).await.status, 202);
    let mut elsewhere = post(&cancelled);
    elsewhere.headers_mut().remove("mcp-session-id");
    assert_eq!(client.status(elsewhere).await, 202);
    gate.release();
    assert!(Answer::of(http::Response::new(body)).await.body.contains("released"));
}

#[tokio::test]
async fn a_modern_server_has_no_sessions() {
    let service = server().eras(Eras::Modern).into_service().unwrap();
    let send = async |request| Answer::of(call(&service, request).await).await;
    let answer = send(post(&initialize("2025-11-25"))).await;
    assert_eq!(answer.refusal(), (400, json!(1), -32022));
    assert_eq!(answer.json()["error"]["data"]["supported"], json!(["2026-07-28"]));
    for method in [Method::GET, Method::DELETE] {
        let mut request = with(post(&Value::Null), "mcp-session-id", "x");
        *request.method_mut() = method;
        let answer = send(request).await;
        assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, Some("POST")));
    }
    assert_eq!(send(post_with(&add(), set("mcp-session-id", "x"))).await.text(), "3");
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    assert_eq!(send(post(&ping)).await.refusal(), (400, json!(1), -32602));
    let response = json!({ "jsonrpc": "2.0", "id": 1, "result": {} });
    assert_eq!(send(with(post(&response), "mcp-session-id", "x")).await.status, 400);
}

/// "If the body is empty or is not a recognized modern JSON-RPC error, fall back to `initialize`".
#[tokio::test]
async fn a_legacy_server_refuses_what_is_modern_in_its_own_words() {
    let service = server().eras(Eras::Legacy).into_service().unwrap();
    let send = async |request| Answer::of(call(&service, request).await).await;
    for request in [add(), message("server/discover", json!({})), message("ping", json!({}))] {
        let answer = send(modern(&request)).await;
        assert_eq!(answer.refusal(), (400, json!(7), -32600), "{request}");
        assert!(answer.message().contains("`initialize`"), "{answer:?}");
    }
    let client = Client::new(&service, "2025-11-25").await;
    assert_eq!(client.send(&client.add()).await.text(), "3");
    let answer = client.send_with(&client.add(), set("mcp-protocol-version", "2026-07-28")).await;
    assert_eq!(answer.refusal(), (400, Value::Null, -32600));
    let served = "served are 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05";
    assert!(answer.message().ends_with(served), "{answer:?}");
    let notification = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(send(post(&notification)).await.status, 400);
    let answer = send(post(&initialize("2026-07-28"))).await;
    assert_eq!(answer.json()["result"]["protocolVersion"], "2025-11-25");
}
