//! basic/patterns/cancellation.

use serde_json::{Value, json};

use super::fixture::{Client, answer};

/// "Servers [..] MUST NOT send any further messages for it."
#[tokio::test]
async fn a_cancelled_request_is_dropped_and_never_heard_of_again() {
    let mut client = Client::new();
    client.call("\"b\"", "wait", json!({ "name": "kept" })).await;
    client.hear("started kept").await;
    client.call("\"a\"", "wait", json!({ "name": "cancelled" })).await;
    client.hear("started cancelled").await;
    client.cancel("\"\\u0061\"").await;
    client.hear("dropped cancelled").await;
    client.release("cancelled");
    client.release("kept");
    client.hear("dropped kept").await;
    let (answers, end) = client.close().await;
    assert_eq!(answers, [answer("b", "kept")]);
    assert_eq!(end.cancelled, 0);
}

#[tokio::test]
async fn the_id_of_a_cancelled_request_is_free_at_once() {
    let mut client = Client::new();
    client.call(1, "wait", json!({ "name": "old" })).await;
    client.hear("started old").await;
    client.cancel(1).await;
    client.call(1, "echo", json!({ "text": "new" })).await;
    assert_eq!(client.close().await.0, [answer(1, "new")]);
}

/// "Invalid cancellation notifications SHOULD be ignored: unknown request IDs, already completed requests,
/// malformed notifications."
#[tokio::test]
async fn invalid_cancellations_are_ignored() {
    let mut client = Client::new();
    client.call(1, "echo", json!({ "text": "completed" })).await;
    assert_eq!(client.receive().await, answer(1, "completed"));
    client.call(2, "wait", json!({ "name": "in flight" })).await;
    client.hear("started in flight").await;
    for id in ["1", "99", "\"2\"", "null", "{}", "2.0"] {
        client.cancel(id).await;
    }
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#).await;
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[2]}"#).await;
    client.release("in flight");
    let (answers, end) = client.close().await;
    assert_eq!(answers, [answer(2, "in flight")]);
    assert_eq!(end.cancelled, 0);
}

#[tokio::test]
async fn dropping_the_server_cancels_what_is_in_flight() {
    let mut client = Client::new();
    client.call(1, "wait", json!({ "name": "orphan" })).await;
    client.hear("started orphan").await;
    client.serving.abort();
    client.hear("dropped orphan").await;
}

#[tokio::test]
async fn a_client_that_is_gone_ends_everything() {
    let mut client = Client::new();
    client.call(1, "wait", json!({ "name": "orphan" })).await;
    client.hear("started orphan").await;
    client.call(2, "echo", json!({ "text": "nobody reads it" })).await;
    let end = client.leave().await;
    assert_eq!(end.cancelled, 1);
}

#[tokio::test]
async fn requests_held_back_can_be_cancelled() {
    let mut client = Client::new();
    client.call(0, "wait", json!({ "name": "running" })).await;
    client.hear("started running").await;
    // The client does not read: the output fills up, and what follows is held back.
    let text = "x".repeat(super::super::outbound::FULL);
    client.call(1, "echo", json!({ "text": text })).await;
    client.call(2, "wait", json!({ "name": "held" })).await;
    client.call(3, "echo", json!({ "text": "last" })).await;
    client.cancel(2).await;
    client.cancel(0).await;
    client.hear("dropped running").await;
    let answers = client.close().await.0;
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [1, 3]);
}
