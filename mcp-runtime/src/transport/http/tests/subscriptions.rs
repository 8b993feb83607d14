//! `subscriptions/listen` over HTTP (basic/patterns/subscriptions, Receiving Messages).

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::super::serve::serve;
use super::super::stream::KEEP_ALIVE;
use super::super::{HttpOptions, HttpService};
use super::client::{Answer, Served, add, call, message, next_piece, post, post_with, set, soon, unset};
use super::fixture::server;
use crate::Server;
use crate::changes::{Change, Loopback};
use crate::server::Core;

const NOTE: &str = "fixture://notes/größe";

fn listen(notifications: &Value) -> Value {
    message("subscriptions/listen", json!({ "notifications": notifications }))
}

fn to_note() -> Value {
    listen(&json!({ "resourceSubscriptions": [NOTE] }))
}

/// A service, and what changes are published through.
fn service(server: Server) -> (HttpService, Arc<Core>) {
    let core = server.bus(Loopback::default()).build().unwrap();
    (HttpService::new(Arc::clone(&core), &HttpOptions::default()), core)
}

fn updated() -> Change {
    Change::Resource(NOTE.into())
}

fn event(piece: &str) -> Value {
    let data = piece.strip_prefix("event: message\ndata: ").and_then(|piece| piece.strip_suffix("\n\n"));
    serde_json::from_str(data.expect(piece)).unwrap()
}

#[tokio::test(start_paused = true)]
async fn the_stream_begins_at_once_and_is_kept_alive() {
    let (service, core) = service(server());
    let before = Instant::now();
    let asked = json!({ "toolsListChanged": true, "resourceSubscriptions": [NOTE, "fixture://other"] });
    let response = call(&service, post(&listen(&asked))).await;
    assert_eq!((response.status().as_u16(), before.elapsed()), (200, Duration::ZERO));
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert_eq!(response.headers()["x-accel-buffering"], "no");
    let mut body = response.into_body();
    let acknowledged = json!({
        "jsonrpc": "2.0",
        "method": "notifications/subscriptions/acknowledged",
        "params": {
            "_meta": { "io.modelcontextprotocol/subscriptionId": 7 },
            "notifications": { "toolsListChanged": true, "resourceSubscriptions": [NOTE] },
        },
    });
    assert_eq!(event(&next_piece(&mut body).await.unwrap()), acknowledged);
    for pings in 1..=2 {
        assert_eq!(next_piece(&mut body).await.as_deref(), Some(":\n\n"));
        assert_eq!(before.elapsed(), pings * KEEP_ALIVE);
    }
    core.hub().publish(updated());
    assert_eq!(event(&next_piece(&mut body).await.unwrap())["params"]["uri"], NOTE);
}

#[tokio::test]
async fn a_client_that_takes_no_stream_is_refused_before_anything_runs() {
    let (service, core) = service(server());
    for change in
        [set("accept", "application/json"), set("accept", "*/*"), set("accept", "text/event-stream;q=0")]
    {
        let answer = Answer::of(call(&service, post_with(&to_note(), change)).await).await;
        assert_eq!(answer.refusal(), (406, json!(7), -32600));
        assert_eq!(
            answer.message(),
            "Invalid Request: the answer is a stream: send `Accept: application/json, text/event-stream`"
        );
    }
    let answer = Answer::of(call(&service, post_with(&to_note(), unset("accept"))).await).await;
    assert_eq!(answer.refusal(), (406, json!(7), -32600));
    assert_eq!(core.hub().len(), 0);
    let response = call(&service, post_with(&to_note(), set("accept", "text/event-stream"))).await;
    assert_eq!((response.status().as_u16(), core.hub().len()), (200, 1));
}

#[tokio::test]
async fn the_headers_are_compared_as_with_any_request() {
    let (service, core) = service(server());
    for change in [set("mcp-method", "tools/call"), set("mcp-protocol-version", "2025-11-25")] {
        let answer = Answer::of(call(&service, post_with(&to_note(), change)).await).await;
        assert_eq!(answer.refusal(), (400, json!(7), -32020));
    }
    assert_eq!(core.hub().len(), 0);
}

#[tokio::test]
async fn wrong_params_are_an_answer_and_no_stream() {
    let (service, _) = service(server());
    for notifications in [json!({ "resourceSubscriptions": 1 }), json!(null)] {
        let answer = Answer::of(call(&service, post(&listen(&notifications))).await).await;
        assert_eq!(answer.refusal(), (200, json!(7), -32602));
    }
}

#[tokio::test]
async fn one_stream_too_many_is_turned_away_until_another_ends() {
    let (service, core) = service(server().max_subscriptions(2).max_in_flight(1));
    let first = call(&service, post(&to_note())).await;
    let second = call(&service, post(&to_note())).await;
    let answer = Answer::of(call(&service, post(&to_note())).await).await;
    assert_eq!(answer.refusal(), (503, json!(7), -32603));
    assert_eq!(answer.header("retry-after"), Some("1"));
    assert!(answer.message().contains("2 subscriptions"), "{}", answer.message());
    // They do not count as requests that run.
    assert_eq!(Answer::of(call(&service, post(&add())).await).await.text(), "3");
    drop(first);
    assert_eq!(core.hub().len(), 1);
    assert_eq!(call(&service, post(&to_note())).await.status(), 200);
    drop(second);
}

#[tokio::test(start_paused = true)]
async fn it_outlives_the_timeout_of_requests() {
    let (service, core) = service(server().timeout(Duration::from_secs(1)));
    let mut body = call(&service, post(&to_note())).await.into_body();
    next_piece(&mut body).await.unwrap();
    tokio::time::sleep(Duration::from_secs(3600)).await;
    core.hub().publish(updated());
    assert_eq!(event(&next_piece(&mut body).await.unwrap())["params"]["uri"], NOTE);
}

/// A server of our own whose changes the test publishes.
struct Streaming {
    served: Served,
    core: Arc<Core>,
}

impl Streaming {
    async fn new() -> Self {
        let (service, core) = service(server());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let task =
            tokio::spawn(
                async move { serve(listener, service, "/mcp", async { drop(stopped.await) }).await },
            );
        Self { served: Served { address, stop: Some(stop), task }, core }
    }
}

#[tokio::test]
async fn a_disconnect_ends_the_subscription() {
    let streaming = Streaming::new().await;
    let mut response = streaming.served.open(post(&to_note())).await;
    assert!(soon(next_piece(response.body_mut())).await.is_some());
    assert_eq!(streaming.core.hub().len(), 1);
    drop(response);
    let ended = async {
        while streaming.core.hub().len() > 0 {
            tokio::task::yield_now().await;
        }
    };
    soon(ended).await;
}

/// "It SHOULD send a successful `subscriptions/listen` response to signal a graceful end, then close the stream."
#[tokio::test]
async fn the_end_of_the_server_is_a_result_and_then_the_stream_closes() {
    let mut streaming = Streaming::new().await;
    let response = streaming.served.open(post(&to_note())).await;
    streaming.core.hub().publish(updated());
    let before = Instant::now();
    soon(streaming.served.stop()).await.unwrap();
    // Not cut off at the end of the grace.
    assert!(before.elapsed() < Duration::from_secs(5));
    let events = Answer::of(response).await.events();
    assert_eq!(events.len(), 3, "{events:?}");
    assert_eq!(events[1]["method"], "notifications/resources/updated");
    assert_eq!((&events[2]["id"], &events[2]["result"]["resultType"]), (&json!(7), &json!("complete")));
    assert_eq!(events[2]["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 7);
}

/// While a client does not read, nobody polls the body of its answer.
#[tokio::test]
async fn changes_coalesce_while_the_client_does_not_read() {
    let (service, core) = service(server());
    let mut body = call(&service, post(&to_note())).await.into_body();
    next_piece(&mut body).await.unwrap();
    for _ in 0..100_000 {
        core.hub().publish(updated());
    }
    core.hub().close();
    assert_eq!(event(&next_piece(&mut body).await.unwrap())["params"]["uri"], NOTE);
    assert_eq!(event(&next_piece(&mut body).await.unwrap())["result"]["resultType"], "complete");
    assert_eq!(next_piece(&mut body).await, None);
}
