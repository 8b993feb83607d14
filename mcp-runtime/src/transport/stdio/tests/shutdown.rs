//! basic/transports/stdio, Shutdown.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::fixture::{Client, answer, call};

#[tokio::test(start_paused = true)]
async fn a_client_that_never_asks_ends_the_server_at_once() {
    let before = Instant::now();
    let (answers, end) = Client::new().close().await;
    assert_eq!(answers, [] as [Value; 0]);
    assert_eq!(end.cancelled, 0);
    assert_eq!(before.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn what_was_read_is_answered_and_then_the_server_ends_at_once() {
    let before = Instant::now();
    let mut client = Client::new();
    client.call(1, "echo", json!({ "text": "one" })).await;
    client.call(2, "chatty", json!({})).await;
    // The last line has no newline.
    let last = call(3, "wait", &json!({ "name": "three" }));
    tokio::io::AsyncWriteExt::write_all(&mut client.writer, last.as_bytes()).await.expect("it reads");
    client.release("three");
    let (answers, end) = client.close().await;
    let answers: Vec<_> = answers.into_iter().filter(|message| message.get("id").is_some()).collect();
    assert_eq!(answers.len(), 3);
    for expected in [answer(1, "one"), answer(2, "done"), answer(3, "three")] {
        assert!(answers.contains(&expected), "{expected}");
    }
    assert_eq!(end.cancelled, 0);
    assert_eq!(before.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn what_takes_longer_than_the_grace_is_cancelled() {
    let mut client = Client::of(|server| server.shutdown_grace(Duration::from_secs(5)));
    client.call(1, "wait", json!({ "name": "slow" })).await;
    client.hear("started slow").await;
    client.call(2, "echo", json!({ "text": "fast" })).await;
    let before = Instant::now();
    let (answers, end) = client.close().await;
    assert_eq!(answers, [answer(2, "fast")]);
    assert_eq!(end.cancelled, 1);
    assert_eq!(before.elapsed(), Duration::from_secs(5));
}

#[tokio::test(start_paused = true)]
async fn a_grace_of_nothing_still_writes_what_is_answered() {
    let mut client = Client::of(|server| server.shutdown_grace(Duration::ZERO));
    client.call(1, "echo", json!({ "text": "x".repeat(200_000) })).await;
    let answers = client.close().await.0;
    assert_eq!(answers, [answer(1, &"x".repeat(200_000))]);
}

#[tokio::test(start_paused = true)]
async fn a_wish_to_stop_is_granted_like_the_end_of_the_input() {
    let mut client = Client::new();
    client.call(1, "wait", json!({ "name": "one" })).await;
    client.hear("started one").await;
    let before = Instant::now();
    client.stop.notify_one();
    client.release("one");
    let (answers, end) = client.rest().await;
    assert_eq!(answers, [answer(1, "one")]);
    assert_eq!(end.cancelled, 0);
    assert_eq!(before.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_second_wish_to_stop_ends_the_grace() {
    let mut client = Client::new();
    client.call(1, "wait", json!({ "name": "one" })).await;
    client.hear("started one").await;
    let before = Instant::now();
    client.stop.notify_one();
    tokio::time::advance(Duration::from_secs(1)).await;
    client.stop.notify_one();
    let (answers, end) = client.rest().await;
    assert_eq!(answers, [] as [Value; 0]);
    assert_eq!(end.cancelled, 1);
    assert!(before.elapsed() < Duration::from_secs(2));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_cannot_hold_up_the_end() {
    let mut client = Client::new();
    client.call(1, "echo", json!({ "text": "x".repeat(200_000) })).await;
    let before = Instant::now();
    tokio::io::AsyncWriteExt::shutdown(&mut client.writer).await.expect("it reads");
    let end = (&mut client.serving).await.expect("the server does not panic");
    assert_eq!(end.cancelled, 0);
    assert!(before.elapsed() < Duration::from_secs(6));
}
