//! The end of a server whose clients hold sessions.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};

use super::fixture::{Gate, initialize, next, post, server, with};
use crate::transport::http::tests::client::{Served, soon};

fn get(path: &str) -> http::Request<http_body_util::Full<bytes::Bytes>> {
    let mut request = with(post(&Value::Null), "accept", "text/event-stream");
    *request.method_mut() = Method::GET;
    *request.uri_mut() = path.parse().unwrap();
    request
}

#[tokio::test]
async fn streams_end_and_calls_may_finish() {
    let lasting = server().sse_endpoint("/sse").shutdown_grace(Duration::from_secs(60));
    let mut served = Served::new(lasting).await;
    let begun = served.send(post(&initialize("2025-11-25"))).await;
    let session = begun.header("mcp-session-id").unwrap().to_owned();
    let mut standalone = served.open(with(get("/mcp"), "mcp-session-id", &session)).await.into_body();
    let mut sse = served.open(get("/sse")).await.into_body();
    let mut gate = Gate::new("lh stop");
    let request = json!({
        "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {
            "name": "http_progress", "arguments": { "gate": gate.name }, "_meta": { "progressToken": 1 },
        },
    });
    let mut running = served.open(with(post(&request), "mcp-session-id", &session)).await.into_body();
    gate.started().await;
    let stopped = served.stop();
    while next(&mut standalone).await.is_some() {}
    while soon(crate::transport::http::tests::client::next_piece(&mut sse)).await.is_some() {}
    assert!(!stopped.is_finished());
    gate.release();
    let mut last = None;
    while let Some(event) = next(&mut running).await {
        last = Some(event);
    }
    assert_eq!(last.unwrap().text(), "released");
    soon(stopped).await.unwrap();
}

#[tokio::test]
async fn what_takes_longer_than_the_grace_is_cancelled() {
    let mut served = Served::new(server().shutdown_grace(Duration::ZERO)).await;
    let begun = served.send(post(&initialize("2025-11-25"))).await;
    let session = begun.header("mcp-session-id").unwrap().to_owned();
    let mut gate = Gate::new("lh no grace");
    let request = json!({
        "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": { "name": "http_wait", "arguments": { "gate": gate.name } },
    });
    let request = with(post(&request), "mcp-session-id", &session);
    // Nobody waits for it any more, either.
    served.open_later(request).abort();
    let request = json!({
        "jsonrpc": "2.0", "id": 3, "method": "tools/call",
        "params": {
            "name": "http_progress", "arguments": { "gate": gate.name }, "_meta": { "progressToken": 1 },
        },
    });
    drop(served.open(with(post(&request), "mcp-session-id", &session)).await);
    gate.started().await;
    soon(served.stop()).await.unwrap();
    gate.ended().await;
}
