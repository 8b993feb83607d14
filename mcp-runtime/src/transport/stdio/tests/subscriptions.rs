//! basic/patterns/subscriptions over stdio.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::super::outbound::FULL;
use super::fixture::{Client, GROUP, answer, error};
use crate::changes::Change;
use crate::output::ResourceOutput;
use crate::registry::{About, Entry, Handler, ResourceEntry, Run, Schedule};

static NOTE: ResourceEntry = ResourceEntry {
    about: About { name: "stdio_note", group: Some(GROUP), ..About::UNSET },
    run: Run {
        handler: Handler::Sync(|call| ResourceOutput::respond("a note", call)),
        schedule: Schedule::Inline,
        timeout: None,
        heartbeat: None,
        params: &[],
        describe: |_| {},
    },
    uri: "stdio://note",
    mime: None,
    size: None,
    audience: &[],
    priority: None,
    list: None,
    watch: None,
};
inventory::submit!(Entry::Resource(&NOTE));

const ID: &str = "io.modelcontextprotocol/subscriptionId";

fn updated() -> Change {
    Change::Resource("stdio://note".into())
}

impl Client {
    /// Subscribes, and reads the acknowledgement.
    async fn listen(&mut self, id: Value, notifications: Value) {
        self.send_listen(&id, &notifications).await;
        let params = json!({ "_meta": { ID: id }, "notifications": notifications });
        assert_eq!(self.receive().await, notification("subscriptions/acknowledged", &params));
    }

    async fn send_listen(&mut self, id: &Value, notifications: &Value) {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let params = json!({ "_meta": meta, "notifications": notifications });
        let message =
            json!({ "jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": params });
        self.send(message.to_string()).await;
    }
}

fn to_tools() -> Value {
    json!({ "toolsListChanged": true })
}

fn to_note() -> Value {
    json!({ "resourceSubscriptions": ["stdio://note"] })
}

fn notification(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": format!("notifications/{method}"), "params": params })
}

/// The two messages that end a subscription.
fn end(id: &Value) -> [Value; 2] {
    let reason = "The server ends the subscription";
    let meta = json!({ ID: id, "io.modelcontextprotocol/serverInfo": { "name": "test", "version": "1" } });
    let result = json!({ "resultType": "complete", "_meta": meta });
    [
        notification("cancelled", &json!({ "requestId": id, "reason": reason })),
        json!({ "jsonrpc": "2.0", "id": id, "result": result }),
    ]
}

/// "On stdio, where all messages share a single channel, clients MUST use this field to correlate notifications with
/// their originating subscription."
#[tokio::test]
async fn several_subscriptions_are_told_apart_by_their_ids() {
    let mut client = Client::new();
    client.listen(json!("tools"), to_tools()).await;
    client.listen(json!(2), to_note()).await;
    client.hub.publish(Change::Tools);
    let params = json!({ "_meta": { ID: "tools" } });
    assert_eq!(client.receive().await, notification("tools/list_changed", &params));
    client.hub.publish(updated());
    let params = json!({ "_meta": { ID: 2 }, "uri": "stdio://note" });
    assert_eq!(client.receive().await, notification("resources/updated", &params));
    client.call(3, "echo", json!({ "text": "still there" })).await;
    assert_eq!(client.receive().await, answer(3, "still there"));
}

#[tokio::test]
async fn the_id_of_an_open_subscription_is_taken() {
    let mut client = Client::new();
    client.listen(json!(1), to_tools()).await;
    client.call(1, "echo", json!({ "text": "" })).await;
    let why = "Invalid Request: a request with the id 1 is in flight";
    assert_eq!(client.receive().await, error(1, -32600, why));
}

/// "Servers [..] MUST NOT send any further messages for it."
#[tokio::test]
async fn a_cancelled_subscription_is_never_heard_of_again() {
    let mut client = Client::new();
    client.listen(json!(1), to_note()).await;
    client.listen(json!(2), to_tools()).await;
    client.cancel(1).await;
    client.call(3, "echo", json!({ "text": "after" })).await;
    assert_eq!(client.receive().await, answer(3, "after"));
    assert_eq!(client.hub.len(), 1);
    client.hub.publish(updated());
    // Its id is free.
    client.listen(json!(1), to_note()).await;
    client.cancel(1).await;
    client.cancel(2).await;
    assert_eq!(client.close().await.0, [] as [Value; 0]);
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_input_ends_subscriptions_at_once() {
    let mut client = Client::new();
    client.listen(json!("a"), to_note()).await;
    client.hub.publish(updated());
    let before = Instant::now();
    let (rest, ended) = client.close().await;
    assert_eq!(rest[0]["method"], "notifications/resources/updated");
    assert_eq!(rest[1..], end(&json!("a")));
    assert_eq!((ended.cancelled, before.elapsed()), (0, Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn a_wish_to_stop_ends_subscriptions_at_once() {
    let mut client = Client::new();
    client.listen(json!(1), to_tools()).await;
    let before = Instant::now();
    client.stop.notify_one();
    let (rest, ended) = client.rest().await;
    assert_eq!(rest, end(&json!(1)));
    assert_eq!((ended.cancelled, before.elapsed()), (0, Duration::ZERO));
}

#[tokio::test]
async fn a_subscription_that_comes_with_the_end_is_acknowledged_and_ended() {
    let mut client = Client::new();
    client.send_listen(&json!(1), &to_tools()).await;
    let (rest, _) = client.close().await;
    assert_eq!(rest[0]["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(rest[1..], end(&json!(1)));
}

#[tokio::test]
async fn they_have_a_limit_of_their_own() {
    let mut client = Client::of(|server| server.max_subscriptions(2).max_in_flight(1));
    client.listen(json!(1), to_tools()).await;
    client.listen(json!(2), to_tools()).await;
    client.send_listen(&json!(3), &to_tools()).await;
    let why = "The server has 2 subscriptions, its most; try again when some of them have ended";
    assert_eq!(client.receive().await, error(3, -32603, why));
    // They do not count as requests that run.
    client.call(4, "wait", json!({ "name": "four" })).await;
    client.hear("started four").await;
    client.release("four");
    assert_eq!(client.receive().await, answer(4, "four"));
    client.cancel(1).await;
    // It is dropped by its own task.
    while client.hub.len() > 1 {
        tokio::task::yield_now().await;
    }
    client.listen(json!(3), to_tools()).await;
}

/// What a client is behind with stays a few notifications, however many changes there are.
#[tokio::test]
async fn changes_coalesce_while_the_client_does_not_read() {
    let mut client = Client::new();
    client.listen(json!(1), to_note()).await;
    let text = "x".repeat(FULL / 2);
    client.call(2, "echo", json!({ "text": text })).await;
    client.call(3, "wait", json!({ "name": "three" })).await;
    client.hear("started three").await;
    for _ in 0..10_000 {
        client.hub.publish(updated());
        tokio::task::yield_now().await;
    }
    client.release("three");
    client.hear("dropped three").await;
    assert_eq!(client.receive().await, answer(2, &text));
    assert_eq!(client.receive().await, answer(3, "three"));
    assert_eq!(client.receive().await["method"], "notifications/resources/updated");
    assert_eq!(client.close().await.0, end(&json!(1)));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_cannot_hold_up_the_end() {
    let mut client = Client::new();
    client.listen(json!(1), to_note()).await;
    client.call(2, "echo", json!({ "text": "x".repeat(FULL) })).await;
    client.hub.publish(updated());
    let before = Instant::now();
    tokio::io::AsyncWriteExt::shutdown(&mut client.writer).await.unwrap();
    let ended = (&mut client.serving).await.unwrap();
    assert_eq!(ended.cancelled, 1);
    assert!(before.elapsed() < Duration::from_secs(6));
}
