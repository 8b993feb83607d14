//! JSON or a stream, and what ends either (Sending Messages, Receiving Messages, Cancellation).

use http::HeaderMap;
use serde_json::{Value, json};
use tokio::io::AsyncReadExt as _;
use tokio::time::{Duration, Instant};

use super::super::service::SILENCE;
use super::super::stream::KEEP_ALIVE;
use super::client::{
    Answer, Served, add, call, next_piece, post, post_with, set, soon, tool, unset, written,
};
use super::fixture::{Gate, server};

fn progress(value: i64, total: Option<i64>, text: &str) -> Value {
    let mut params = json!({ "progressToken": "token", "progress": value });
    if let Some(total) = total {
        params["total"] = json!(total);
    }
    params["message"] = json!(text);
    json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params })
}

#[tokio::test]
async fn the_first_notification_makes_it_a_stream() {
    let served = Served::new(server()).await;
    let answer = served.send(post(&tool("http_say", &json!({})))).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    assert_eq!(answer.header("cache-control"), Some("no-cache"));
    assert_eq!(answer.header("x-accel-buffering"), Some("no"));
    let events = answer.events();
    assert_eq!(events[0], progress(1, Some(2), "half"));
    assert_eq!(events[1]["params"], json!({ "level": "info", "data": "said" }));
    assert_eq!(events[2]["result"]["content"], json!([{ "type": "text", "text": "done" }]));
    assert_eq!(events.len(), 3);
}

/// C4 of the collected client reports.
#[tokio::test]
async fn a_client_that_does_not_name_streams_gets_json_without_notifications() {
    let served = Served::new(server()).await;
    let say = tool("http_say", &json!({}));
    for accept in ["application/json", "*/*", "application/*", "text/html", ""] {
        let answer = served.send(post_with(&say, set("accept", accept))).await;
        assert_eq!((answer.status.as_u16(), answer.text().as_str()), (200, "done"), "{accept}");
    }
    let answer = served.send(post_with(&say, unset("accept"))).await;
    assert_eq!(answer.text(), "done");
}

#[tokio::test]
async fn a_client_that_takes_only_streams_gets_one() {
    let served = Served::new(server()).await;
    let answer = served.send(post_with(&add(), set("accept", "text/event-stream"))).await;
    assert_eq!(answer.events()[0]["result"]["content"][0]["text"], "3");
    // What has a status of its own is no stream.
    let refused = tool("http_fail", &json!({ "code": -32021 }));
    let answer = served.send(post_with(&refused, set("accept", "text/event-stream"))).await;
    assert_eq!(answer.refusal(), (400, json!(7), -32021));
}

#[tokio::test]
async fn a_notification_arrives_while_the_call_goes_on() {
    let served = Served::new(server()).await;
    let mut gate = Gate::new("goes on");
    let response = served.open(post(&tool("http_progress", &json!({ "gate": gate.name })))).await;
    let mut body = response.into_body();
    let piece = soon(next_piece(&mut body)).await.unwrap();
    assert_eq!(piece, format!("event: message\ndata: {}\n\n", progress(1, None, "waiting")));
    gate.release();
    let piece = soon(next_piece(&mut body)).await.unwrap();
    assert!(piece.starts_with("event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":"), "{piece}");
    assert_eq!(soon(next_piece(&mut body)).await, None);
}

#[tokio::test(start_paused = true)]
async fn five_silent_seconds_make_it_a_stream_that_is_kept_alive() {
    let service = server().into_service().unwrap();
    let mut gate = Gate::new("silence");
    let before = Instant::now();
    let response = call(&service, post(&tool("http_wait", &json!({ "gate": gate.name })))).await;
    assert_eq!(before.elapsed(), SILENCE);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut body = response.into_body();
    assert_eq!(next_piece(&mut body).await.as_deref(), Some(":\n\n"));
    assert_eq!(before.elapsed(), SILENCE);
    for pings in 1..=2 {
        assert_eq!(next_piece(&mut body).await.as_deref(), Some(":\n\n"));
        assert_eq!(before.elapsed(), SILENCE + pings * KEEP_ALIVE);
    }
    gate.release();
    assert!(next_piece(&mut body).await.unwrap().contains("\"text\":\"released\""));
    assert_eq!(next_piece(&mut body).await, None);
}

#[tokio::test(start_paused = true)]
async fn silence_changes_nothing_for_a_client_of_json() {
    let service = server().into_service().unwrap();
    let mut gate = Gate::new("silent json");
    let request = tool("http_wait", &json!({ "gate": gate.name }));
    let request = post_with(&request, set("accept", "application/json"));
    let before = Instant::now();
    let release = async {
        tokio::time::sleep(Duration::from_secs(60)).await;
        gate.release();
    };
    let (response, ()) = tokio::join!(call(&service, request), release);
    assert_eq!(before.elapsed(), Duration::from_secs(60));
    assert_eq!(Answer::of(response).await.text(), "released");
}

async fn is_cancelled_by_disconnecting(gate_name: &str, change: impl FnOnce(&mut HeaderMap)) {
    let served = Served::new(server()).await;
    let mut gate = Gate::new(gate_name);
    let body = tool("http_wait", &json!({ "gate": gate.name }));
    let stream = served.stream(written(&body, change).as_bytes()).await;
    gate.started().await;
    drop(stream);
    gate.ended().await;
}

#[tokio::test]
async fn a_disconnect_before_the_answer_cancels() {
    is_cancelled_by_disconnecting("gone before json", set("accept", "application/json")).await;
    is_cancelled_by_disconnecting("gone before a stream", |_| {}).await;
}

#[tokio::test]
async fn a_disconnect_during_the_stream_cancels() {
    let served = Served::new(server()).await;
    let mut gate = Gate::new("gone during");
    let mut response = served.open(post(&tool("http_progress", &json!({ "gate": gate.name })))).await;
    gate.started().await;
    assert!(soon(next_piece(response.body_mut())).await.is_some());
    drop(response);
    gate.ended().await;
}

#[tokio::test]
async fn a_call_that_was_cut_off_leaves_its_place_to_others() {
    let served = Served::new(server().max_in_flight(1)).await;
    let mut gate = Gate::new("place");
    let response = served.open(post(&tool("http_progress", &json!({ "gate": gate.name })))).await;
    gate.started().await;
    assert_eq!(served.send(post(&add())).await.status, 503);
    drop(response);
    gate.ended().await;
    // The handler is dropped with the stream, and the permit right behind it.
    let free = async {
        while served.send(post(&add())).await.status == 503 {
            tokio::task::yield_now().await;
        }
    };
    soon(free).await;
}

#[tokio::test]
async fn a_connection_serves_many_requests() {
    let served = Served::new(server()).await;
    let request = written(&add(), |_| {});
    // Two at once, in one piece.
    let mut stream = served.stream(request.repeat(2).as_bytes()).await;
    let mut read = String::new();
    let both = async {
        let mut buffer = [0; 4096];
        while read.matches("\"text\":\"3\"").count() < 2 {
            let count = stream.read(&mut buffer).await.unwrap();
            assert_ne!(count, 0, "{read}");
            read.push_str(std::str::from_utf8(&buffer[..count]).unwrap());
        }
    };
    soon(both).await;
    assert_eq!(read.matches("HTTP/1.1 200 OK\r\n").count(), 2);
}
