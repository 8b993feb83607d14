//! The life of sessions (2025-11-25, basic/transports, Session Management).

use std::collections::HashSet;
use std::time::Duration;

use http::{HeaderMap, Method};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};

use super::fixture::{Client, Gate, event, initialize, next, post, server, with};
use crate::transport::http::HttpService;
use crate::transport::http::tests::client::{Answer, call, set, unset};

async fn refused(client: &Client, change: impl FnOnce(&mut HeaderMap)) -> (u16, Value, i64) {
    client.send_with(&client.add(), change).await.refusal()
}

async fn begin(service: &HttpService) -> Answer {
    Answer::of(call(service, post(&initialize("2025-06-18"))).await).await
}

#[tokio::test]
async fn an_initialize_gives_a_session() {
    let service = server().into_service().unwrap();
    let mut seen = HashSet::new();
    for revision in ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] {
        let client = Client::new(&service, revision).await;
        assert_eq!(client.session.len(), 32);
        assert!(client.session.bytes().all(|byte| byte.is_ascii_hexdigit()), "{}", client.session);
        assert!(seen.insert(client.session.clone()));
        let answer = client.send(&client.add()).await;
        assert_eq!((answer.status.as_u16(), answer.text().as_str()), (200, "3"));
        assert_eq!(answer.json()["result"].get("resultType"), None);
    }
}

#[tokio::test]
async fn an_initialize_that_fails_gives_none() {
    let service = server().max_sessions(1).into_service().unwrap();
    for params in [json!({}), json!({ "protocolVersion": 1 }), json!([])] {
        let message = json!({ "jsonrpc": "2.0", "id": "i", "method": "initialize", "params": params });
        let answer = Answer::of(call(&service, post(&message)).await).await;
        assert_eq!(answer.refusal(), (400, json!("i"), -32602));
        assert_eq!(answer.header("mcp-session-id"), None);
    }
}

#[tokio::test]
async fn a_client_that_takes_streams_alone_can_begin() {
    let service = server().into_service().unwrap();
    let request = with(post(&initialize("2025-06-18")), "accept", "text/event-stream");
    let answer = Answer::of(call(&service, request).await).await;
    assert_eq!(answer.events()[0]["result"]["protocolVersion"], "2025-06-18");
    assert!(answer.header("mcp-session-id").is_some());
}

#[tokio::test]
async fn a_session_has_to_be_named_once_and_as_it_was_given() {
    let client = Client::of(server(), "2025-11-25").await;
    assert_eq!(refused(&client, unset("mcp-session-id")).await.0, 400);
    let twice = |headers: &mut HeaderMap| {
        let value = headers["mcp-session-id"].clone();
        headers.append("mcp-session-id", value);
    };
    assert_eq!(refused(&client, twice).await, (400, Value::Null, -32600));
    let missing = (404, Value::Null, -32001);
    for garbage in ["", "x", "0", "00000000000000000000000000000000", "+0000000000000000000000000000000"] {
        assert_eq!(refused(&client, set("mcp-session-id", garbage)).await, missing, "{garbage}");
    }
    let other = [client.session.to_uppercase(), format!("{}0", client.session), "\u{ff}".repeat(16)];
    for other in other.into_iter().filter(|other| *other != client.session) {
        let change = |headers: &mut HeaderMap| {
            let value = http::HeaderValue::from_bytes(other.as_bytes()).unwrap();
            headers.insert("mcp-session-id", value);
        };
        assert_eq!(refused(&client, change).await, missing, "{other}");
    }
    let answer = client.send_with(&client.add(), set("mcp-session-id", "gone")).await;
    assert_eq!(answer.message(), "Session not found");
}

#[tokio::test]
async fn the_version_header_is_one_that_is_served() {
    let client = Client::of(server(), "2025-06-18").await;
    for version in ["2025-06-18", "2025-11-25", "2025-03-26", "2024-11-05"] {
        let answer = client.send_with(&client.add(), set("mcp-protocol-version", version)).await;
        assert_eq!(answer.text(), "3", "{version}");
    }
    for version in ["1900-01-01", "", "bad", "2025-06-18, 2025-06-18"] {
        let answer = client.send_with(&client.add(), set("mcp-protocol-version", version)).await;
        assert_eq!(answer.refusal(), (400, Value::Null, -32600), "{version}");
        let served = "2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05";
        assert!(answer.message().ends_with(served), "{answer:?}");
        let get = with(client.bare(Method::GET), "mcp-protocol-version", version);
        assert_eq!(client.status(get).await, 400);
        let delete = with(client.bare(Method::DELETE), "mcp-protocol-version", version);
        assert_eq!(client.status(delete).await, 400);
    }
    assert_eq!(client.send(&client.add()).await.text(), "3");
}

#[tokio::test]
async fn a_delete_ends_the_session() {
    let client = Client::of(server(), "2025-11-25").await;
    let mut gate = Gate::new("lh deleted");
    let (_, mut running) = client.waiting(&mut gate).await;
    let mut standalone = client.stream(client.bare(Method::GET)).await;
    let silent = Gate::new("lh deleted silently");
    let waiting = client.tool("http_wait", json!({ "gate": silent.name }));
    let mut json_only = Box::pin(client.send_with(&waiting, set("accept", "application/json")));
    assert!(futures_pending(&mut json_only).await);
    client.delete().await;
    gate.ended().await;
    assert_eq!(json_only.await.refusal(), (404, Value::Null, -32001));
    assert_eq!(event(&mut running).await.data, Value::Null);
    assert_eq!(event(&mut running).await.data["method"], "notifications/progress");
    assert_eq!(next(&mut running).await, None);
    assert_eq!(event(&mut standalone).await.data, Value::Null);
    assert_eq!(next(&mut standalone).await, None);
    for request in [client.bare(Method::DELETE), client.bare(Method::GET), client.post(&client.add())] {
        assert_eq!(client.status(request).await, 404);
    }
}

/// Polls once.
async fn futures_pending<F: Future + Unpin>(future: &mut F) -> bool {
    std::future::poll_fn(|task| {
        std::task::Poll::Ready(std::pin::Pin::new(&mut *future).poll(task).is_pending())
    })
    .await
}

#[tokio::test(start_paused = true)]
async fn a_session_expires_by_itself() {
    let client = Client::of(server().session_idle(Duration::from_secs(60)), "2025-11-25").await;
    let mut gate = Gate::new("lh expiry");
    let (_, body) = client.waiting(&mut gate).await;
    // One with a call that runs is not idle, whoever reads.
    drop(body);
    tokio::time::sleep(Duration::from_secs(600)).await;
    assert_eq!(client.send(&client.add()).await.text(), "3");
    gate.release();
    gate.ended().await;
    // Nor is one with a stream.
    let standalone = client.stream(client.bare(Method::GET)).await;
    tokio::time::sleep(Duration::from_secs(600)).await;
    drop(standalone);
    tokio::time::sleep(Duration::from_secs(59)).await;
    assert_eq!(client.send(&client.add()).await.text(), "3");
    tokio::time::sleep(Duration::from_secs(61)).await;
    assert_eq!(client.send(&client.add()).await.refusal(), (404, Value::Null, -32001));
}

#[tokio::test(start_paused = true)]
async fn one_session_too_many_ends_the_one_that_is_idle_for_longest() {
    let service = server().max_sessions(2).into_service().unwrap();
    let first = Client::new(&service, "2025-11-25").await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let second = Client::new(&service, "2025-11-25").await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(first.send(&first.add()).await.text(), "3");
    tokio::time::sleep(Duration::from_secs(1)).await;
    let third = Client::new(&service, "2025-11-25").await;
    assert_eq!(second.send(&second.add()).await.status, 404);
    let _first = first.stream(first.bare(Method::GET)).await;
    let held = third.stream(third.bare(Method::GET)).await;
    let answer = begin(&service).await;
    assert_eq!(answer.refusal(), (503, Value::Null, -32603));
    assert_eq!(answer.header("retry-after"), Some("5"));
    assert_eq!(answer.header("mcp-session-id"), None);
    drop(held);
    assert_eq!(begin(&service).await.status, 200);
    assert_eq!(third.send(&third.add()).await.status, 404);
    assert_eq!(first.send(&first.add()).await.text(), "3");
}

#[tokio::test]
async fn a_service_that_is_dropped_ends_what_runs() {
    let client = Client::of(server(), "2025-11-25").await;
    let mut gate = Gate::new("lh dropped service");
    let (_, body) = client.waiting(&mut gate).await;
    drop(client);
    gate.ended().await;
    let rest = body.collect().await.unwrap().to_bytes();
    assert!(!String::from_utf8(rest.to_vec()).unwrap().contains("result"));
}
