//! A client that reads slowly.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use super::super::outbound::FULL;
use super::fixture::{Client, answer, call};

/// Time is paused, so that the timeout strikes exactly when everybody waits for somebody else.
#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_is_not_read() {
    const LIMIT: usize = 100_000;
    let mut client = Client::of(|server| server.body_limit(LIMIT));
    let text = "x".repeat(10_000);
    let mut sent = 0;
    loop {
        let line = call(sent, "echo", &json!({ "text": text })) + "\n";
        let writing = client.writer.write_all(line.as_bytes());
        if tokio::time::timeout(Duration::from_secs(60), writing).await.is_err() {
            break;
        }
        sent += 1;
    }
    // What waits to be written, what is held back, what was read last, and both pipes.
    let bound = FULL + LIMIT + 64 * 1024 + 2 * 64 * 1024;
    assert!(sent * text.len() < bound + 5 * text.len(), "{sent} requests were taken");
    assert!(sent * text.len() > FULL, "only {sent} requests were taken");
    for id in 0..sent {
        assert_eq!(client.receive().await, answer(id, &text));
    }
}

#[tokio::test(start_paused = true)]
async fn malformed_lines_are_held_back_as_well() {
    let mut client = Client::of(|server| server.body_limit(100_000));
    let mut sent = 0;
    let writing = async {
        loop {
            client.writer.write_all(b"{\n").await.expect("the server reads");
            sent += 1;
        }
    };
    assert!(tokio::time::timeout(Duration::from_secs(60), writing).await.is_err());
    // Two bytes a line, more than a hundred an answer: what fills the output, one batch, and the pipe.
    assert!(sent < FULL / 100 + 2 * 64 * 1024 / 2, "{sent} lines were taken");
}

#[tokio::test]
async fn answers_wait_for_their_turn_and_none_is_lost() {
    let mut client = Client::new();
    let text = "x".repeat(FULL);
    for id in 0..20 {
        client.call(id, "wait", json!({ "name": id.to_string() })).await;
        client.hear(&format!("started {id}")).await;
    }
    client.call(20, "echo", json!({ "text": text })).await;
    client.call(21, "echo", json!({ "text": "held" })).await;
    for id in 0..20 {
        client.release(&id.to_string());
        client.hear(&format!("dropped {id}")).await;
    }
    let (answers, end) = client.close().await;
    assert_eq!(end.cancelled, 0);
    let mut ids: Vec<_> = answers.iter().filter_map(|message: &Value| message["id"].as_u64()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..22).collect::<Vec<u64>>());
}
