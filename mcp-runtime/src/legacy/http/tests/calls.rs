//! Calls, and what ends them (2025-11-25, basic/transports and basic/utilities/cancellation).

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::fixture::{Client, Gate, cancelled, event, next, server};
use crate::transport::http::SILENCE;
use crate::transport::http::tests::client::{Answer, next_piece, set, soon};

#[tokio::test]
async fn the_first_notification_makes_it_a_stream() {
    let client = Client::of(server(), "2025-11-25").await;
    let mut body = client.stream(client.post(&client.tool("http_say", json!({})))).await;
    let prime = soon(next_piece(&mut body)).await.unwrap();
    assert_eq!(prime, "id: 1_0\ndata: \n\n");
    let progress = event(&mut body).await;
    assert_eq!((progress.id(), &progress.data["params"]["message"]), ("1_1", &json!("half")));
    let log = event(&mut body).await;
    assert_eq!((log.id(), &log.data["params"]["data"]), ("1_2", &json!("said")));
    let answer = event(&mut body).await;
    assert_eq!((answer.id(), answer.text()), ("1_3", "done"));
    assert_eq!(next(&mut body).await, None);
}

/// Empty data is a message that clients of older revisions cannot read.
#[tokio::test]
async fn streams_of_older_revisions_are_not_primed() {
    for revision in ["2025-06-18", "2025-03-26", "2024-11-05"] {
        let client = Client::of(server(), revision).await;
        let mut body = client.stream(client.post(&client.tool("http_say", json!({})))).await;
        let first = soon(next_piece(&mut body)).await.unwrap();
        assert!(first.starts_with("id: 1_1\nevent: message\ndata: {"), "{first}");
    }
}

#[tokio::test]
async fn a_client_of_json_gets_json_without_notifications() {
    let client = Client::of(server(), "2025-11-25").await;
    let answer =
        client.send_with(&client.tool("http_say", json!({})), set("accept", "application/json")).await;
    assert_eq!(answer.text(), "done");
    let mut gate = Gate::new("lh json");
    let request = client.tool("http_progress", json!({ "gate": gate.name }));
    let waiting = client.send_with(&request, set("accept", "*/*"));
    let release = async {
        gate.started().await;
        gate.release();
    };
    let (answer, ()) = tokio::join!(waiting, release);
    assert_eq!(answer.text(), "released");
}

#[tokio::test]
async fn an_answer_that_comes_before_anything_else_is_json() {
    let client = Client::of(server(), "2025-11-25").await;
    let mut gate = Gate::new("lh late json");
    let request = client.tool("http_wait", json!({ "gate": gate.name }));
    let release = async {
        gate.started().await;
        gate.release();
    };
    let (answer, ()) = tokio::join!(client.send(&request), release);
    assert_eq!(answer.text(), "released");
}

#[tokio::test(start_paused = true)]
async fn silence_makes_it_a_stream() {
    for revision in ["2025-11-25", "2025-03-26"] {
        let client = Client::of(server(), revision).await;
        let mut gate = Gate::new("lh silence");
        let before = Instant::now();
        let request = client.tool("http_wait", json!({ "gate": gate.name }));
        let mut body = client.stream(client.post(&request)).await;
        assert_eq!(before.elapsed(), SILENCE);
        let first = if revision == "2025-11-25" { "id: 1_0\ndata: \n\n" } else { ":\n\n" };
        assert_eq!(next_piece(&mut body).await.as_deref(), Some(first));
        assert_eq!(next_piece(&mut body).await.as_deref(), Some(":\n\n"));
        gate.release();
        assert_eq!(event(&mut body).await.text(), "released");
        assert_eq!(next(&mut body).await, None);
    }
}

/// "Disconnection SHOULD NOT be interpreted as the client cancelling its request."
#[tokio::test]
async fn a_call_goes_on_without_its_client() {
    let client = Client::of(server().max_in_flight(2), "2025-11-25").await;
    let mut gate = Gate::new("lh gone");
    let (id, body) = client.waiting(&mut gate).await;
    drop(body);
    let mut silent = Gate::new("lh gone silently");
    let request = client.tool("http_wait", json!({ "gate": silent.name }));
    {
        let mut open = Box::pin(client.open(client.post(&request)));
        tokio::select! {
            biased;
            _ = &mut open => panic!("it says nothing"),
            () = silent.started() => {}
        }
    }
    // Both count as in flight.
    assert_eq!(client.send(&client.add()).await.status, 503);
    silent.release();
    silent.ended().await;
    while client.send(&client.add()).await.status == 503 {
        tokio::task::yield_now().await;
    }
    assert_eq!(client.send(&cancelled(&id)).await.status, 202);
    gate.ended().await;
}

#[tokio::test]
async fn a_cancelled_call_ends_its_stream_without_an_answer() {
    let client = Client::of(server(), "2025-11-25").await;
    let other = Client::new(&client.service, "2025-11-25").await;
    let mut gate = Gate::new("lh cancelled");
    let (id, mut body) = client.waiting(&mut gate).await;
    // That of another session is another request.
    assert_eq!(other.send(&cancelled(&id)).await.status, 202);
    assert_eq!(client.send(&cancelled(&json!("unheard of"))).await.status, 202);
    assert_eq!(client.send(&cancelled(&id)).await.status, 202);
    gate.ended().await;
    assert_eq!(event(&mut body).await.data, Value::Null);
    assert_eq!(event(&mut body).await.data["method"], "notifications/progress");
    assert_eq!(next(&mut body).await, None);
    assert_eq!(client.send(&cancelled(&id)).await.status, 202);
}

#[tokio::test]
async fn a_call_that_is_cancelled_before_it_says_anything_is_not_answered() {
    for accept in ["application/json, text/event-stream", "application/json"] {
        let client = Client::of(server(), "2025-11-25").await;
        let mut gate = Gate::new("lh cancelled early");
        let request = client.tool("http_wait", json!({ "gate": gate.name }));
        let cancel = async {
            gate.started().await;
            assert_eq!(client.send(&cancelled(&request["id"])).await.status, 202);
            gate.ended().await;
        };
        let (answer, ()) = tokio::join!(client.send_with(&request, set("accept", accept)), cancel);
        assert_eq!((answer.status.as_u16(), answer.body.as_str()), (202, ""));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_an_answer_and_a_cancellation_the_first_counts() {
    let client = Client::of(server(), "2025-11-25").await;
    for round in 0..100 {
        let mut gate = Gate::new(&format!("lh race {round}"));
        let (id, mut body) = client.waiting(&mut gate).await;
        let message = cancelled(&id);
        let cancel = client.send(&message);
        gate.release();
        assert_eq!(cancel.await.status, 202);
        let mut answers = 0;
        while let Some(event) = next(&mut body).await {
            answers += usize::from(event.data["id"] == id);
        }
        assert!(answers <= 1);
        // The id is free again, and the session goes on.
        let mut again = client.add();
        again["id"] = id;
        assert_eq!(client.send(&again).await.text(), "3");
    }
}

#[tokio::test]
async fn an_id_in_flight_is_not_used_again() {
    let client = Client::of(server(), "2025-11-25").await;
    let mut gate = Gate::new("lh same id");
    let (id, _body) = client.waiting(&mut gate).await;
    let mut again = client.add();
    again["id"] = id.clone();
    assert_eq!(client.send(&again).await.refusal(), (400, id.clone(), -32600));
    // The other session has ids of its own.
    let other = Client::new(&client.service, "2025-11-25").await;
    assert_eq!(other.send(&again).await.text(), "3");
    gate.release();
    gate.ended().await;
    while client.send(&again).await.status == 400 {
        tokio::task::yield_now().await;
    }
    assert_eq!(client.send(&again).await.text(), "3");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_reads_slowly_loses_nothing() {
    let client = Client::of(server(), "2025-11-25").await;
    let request = client.tool("lh_chatter", json!({ "lines": 5000 }));
    let mut body = client.stream(client.post(&request)).await;
    assert_eq!(event(&mut body).await.data, Value::Null);
    for line in 0..5000 {
        assert_eq!(event(&mut body).await.data["params"]["data"], line);
    }
    assert_eq!(event(&mut body).await.text(), "said");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_holds_nothing_up() {
    let client = Client::of(server(), "2025-11-25").await;
    let request = client.tool("lh_chatter", json!({ "lines": 5000 }));
    let mut body = client.stream(client.post(&request)).await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    // It counts as gone, and can come back: for the answer, and for the last of what was said.
    assert_eq!(event(&mut body).await.id(), "1_0");
    assert_eq!(next(&mut body).await, None);
    let answer = Answer::of(client.resume("1_0").await).await;
    let events = super::fixture::Event::all(&answer.body);
    assert_eq!(events.last().unwrap().text(), "said");
    assert!((128..=257).contains(&events.len()), "{}", events.len());
    assert_eq!(events[events.len() - 2].data["params"]["data"], 4999);
}
