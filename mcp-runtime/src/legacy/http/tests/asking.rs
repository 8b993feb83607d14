//! Questions on the stream of a call, and answers by POST.

use std::time::Duration;

use serde_json::{Value, json};

use super::fixture::{Client, accepting, event, next, server};
use crate::transport::http::tests::client::set;

/// The question that a tool asks, and its stream.
async fn asked(client: &Client, tool: &str) -> (Value, crate::transport::http::HttpBody) {
    let mut body = client.stream(client.post(&client.tool(tool, json!({})))).await;
    loop {
        let question = event(&mut body).await.data;
        if !question.is_null() {
            return (question, body);
        }
    }
}

#[tokio::test]
async fn a_question_is_answered_by_another_post() {
    for revision in ["2025-11-25", "2025-06-18"] {
        let client = Client::of(server(), revision).await;
        let (question, mut body) = asked(&client, "lh_elicit").await;
        assert_eq!(question["method"], "elicitation/create");
        assert_eq!(question["params"]["message"], "A word?");
        let answer = client.send(&accepting(&question, "tree")).await;
        assert_eq!((answer.status.as_u16(), answer.body.as_str()), (202, ""));
        assert_eq!(event(&mut body).await.text(), "tree");
        assert_eq!(next(&mut body).await, None);
        // A second answer is one to nothing.
        assert_eq!(client.send(&accepting(&question, "tree")).await.status, 202);
    }
}

#[tokio::test]
async fn an_answer_counts_in_its_own_session() {
    let client = Client::of(server(), "2025-11-25").await;
    let other = Client::new(&client.service, "2025-11-25").await;
    let (question, mut body) = asked(&client, "lh_elicit").await;
    let (same, _other) = asked(&other, "lh_elicit").await;
    assert_eq!(question["id"], same["id"]);
    assert_eq!(other.send(&accepting(&same, "theirs")).await.status, 202);
    assert_eq!(client.send(&accepting(&question, "ours")).await.status, 202);
    assert_eq!(event(&mut body).await.text(), "ours");
}

#[tokio::test]
async fn a_question_waits_for_a_client_that_comes_back() {
    let client = Client::of(server(), "2025-11-25").await;
    let (question, body) = asked(&client, "lh_elicit").await;
    drop(body);
    assert_eq!(client.send(&accepting(&question, "tree")).await.status, 202);
    let mut body = client.resume("1_1").await.into_body();
    assert_eq!(event(&mut body).await.text(), "tree");
}

#[tokio::test]
async fn handlers_that_ask_by_hand_are_run_again() {
    let client = Client::of(server(), "2025-11-25").await;
    let (question, mut body) = asked(&client, "lh_by_hand").await;
    assert_eq!(question["params"]["message"], "a");
    client.send(&accepting(&question, "one")).await;
    let question = event(&mut body).await.data;
    assert_eq!(question["params"]["message"], "b");
    client.send(&accepting(&question, "two")).await;
    assert_eq!(event(&mut body).await.text(), "one two");
}

#[tokio::test]
async fn models_and_roots_are_asked_for_as_well() {
    let client = Client::of(server(), "2025-03-26").await;
    let (question, mut body) = asked(&client, "lh_sample").await;
    assert_eq!(question["method"], "sampling/createMessage");
    let result = json!({
        "role": "assistant", "content": { "type": "text", "text": "Paris" }, "model": "m-1",
        "stopReason": "endTurn",
    });
    client.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": result })).await;
    assert_eq!(event(&mut body).await.text(), "m-1");
    let (question, mut body) = asked(&client, "lh_roots").await;
    assert_eq!(question["method"], "roots/list");
    let result = json!({ "roots": [{ "uri": "file:///a" }, { "uri": "file:///b" }] });
    client.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": result })).await;
    assert_eq!(event(&mut body).await.text(), "file:///a file:///b");
}

#[tokio::test(start_paused = true)]
async fn a_question_that_is_not_answered_in_time_is_taken_back() {
    let client = Client::of(server().ask_timeout(Duration::from_secs(30)), "2025-11-25").await;
    let (question, mut body) = asked(&client, "lh_elicit").await;
    let taken_back = event(&mut body).await.data;
    assert_eq!(taken_back["method"], "notifications/cancelled");
    assert_eq!(taken_back["params"]["requestId"], question["id"]);
    let answer = event(&mut body).await.data;
    assert!(answer.to_string().contains("did not answer"), "{answer}");
    assert_eq!(next(&mut body).await, None);
}

#[tokio::test]
async fn a_client_of_json_cannot_be_asked() {
    let client = Client::of(server(), "2025-11-25").await;
    for tool in ["lh_elicit", "lh_by_hand"] {
        let request = client.tool(tool, json!({}));
        let answer = client.send_with(&request, set("accept", "application/json")).await;
        assert_eq!(answer.status, 200);
        assert!(answer.body.contains("text/event-stream"), "{answer:?}");
    }
}
