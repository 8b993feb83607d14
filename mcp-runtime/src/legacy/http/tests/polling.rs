//! Connections that end before their stream does (2025-11-25, basic/transports, Sending Messages to the Server).

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::super::stream::{Next, Stream};
use super::fixture::{Client, accepting, event, next, server};
use crate::transport::http::tests::client::{next_piece, set, soon};

#[tokio::test]
async fn a_client_is_let_go_and_comes_back() {
    let client = Client::of(server(), "2025-11-25").await;
    let mut body = client.stream(client.post(&client.tool("lh_release", json!({})))).await;
    let prime = event(&mut body).await;
    assert_eq!((prime.id(), &prime.data), ("1_0", &Value::Null));
    // The question may be asked before the connection closes, and is there for the client either way.
    let mut question = Value::Null;
    loop {
        let piece = soon(next_piece(&mut body)).await.expect("the time to come back at");
        if piece == "retry: 1500\n\n" {
            break;
        }
        question = super::fixture::Event::parse(&piece).data;
    }
    assert_eq!(next(&mut body).await, None);
    let last = if question.is_null() { "1_0" } else { "1_1" };
    let mut body = client.resume(last).await.into_body();
    if question.is_null() {
        question = event(&mut body).await.data;
    }
    client.send(&accepting(&question, "back")).await;
    assert_eq!(event(&mut body).await.text(), "back");
    assert_eq!(next(&mut body).await, None);
}

#[tokio::test]
async fn clients_of_older_revisions_are_not_let_go() {
    let client = Client::of(server(), "2025-06-18").await;
    let mut body = client.stream(client.post(&client.tool("lh_release", json!({})))).await;
    let question = event(&mut body).await;
    client.send(&accepting(&question.data, "still here")).await;
    assert_eq!(event(&mut body).await.text(), "still here");
}

#[tokio::test]
async fn a_client_of_json_has_nothing_to_come_back_for() {
    let client = Client::of(server(), "2025-11-25").await;
    let request = client.tool("lh_release", json!({}));
    let answer = client.send_with(&request, set("accept", "application/json")).await;
    assert!(answer.body.contains("text/event-stream"), "{answer:?}");
}

#[tokio::test]
async fn a_call_that_goes_on_talking_lets_its_client_go_all_the_same() {
    let stream = Stream::new(1, 1, &Arc::default());
    let serial = stream.connect(0);
    stream.push(b"before".to_vec());
    stream.release(Duration::from_secs(1));
    stream.push(b"after".to_vec());
    let next = async || std::future::poll_fn(|task| stream.poll_next(task, serial)).await;
    assert_eq!(next().await, Next::Message { position: 1, line: "before".into(), is_last: false });
    assert_eq!(next().await, Next::Retry(Duration::from_secs(1)));
    assert_eq!(next().await, Next::End);
    let serial = stream.connect(1);
    let next = async || std::future::poll_fn(|task| stream.poll_next(task, serial)).await;
    assert_eq!(next().await, Next::Message { position: 2, line: "after".into(), is_last: false });
}
