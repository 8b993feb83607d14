//! Streams that are taken up again (2025-11-25, basic/transports, Resumability and Redelivery).

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};

use super::fixture::{Client, Event, Gate, cancelled, event, next, server, with};
use crate::transport::http::tests::client::Answer;

#[tokio::test]
async fn a_stream_goes_on_where_it_was_left() {
    for revision in ["2025-11-25", "2025-03-26"] {
        let client = Client::of(server(), revision).await;
        let mut gate = Gate::new("lh resume");
        let (_, mut body) = client.waiting(&mut gate).await;
        if revision == "2025-11-25" {
            assert_eq!(event(&mut body).await.id(), "1_0");
        }
        assert_eq!(event(&mut body).await.id(), "1_1");
        drop(body);
        // What came before is replayed from wherever the client left, and what comes is live.
        let mut again = client.resume("1_0").await.into_body();
        assert_eq!(event(&mut again).await.data["method"], "notifications/progress");
        drop(again);
        let mut again = client.resume("1_1").await.into_body();
        gate.release();
        let answer = event(&mut again).await;
        assert_eq!((answer.id(), answer.text()), ("1_2", "released"));
        assert_eq!(next(&mut again).await, None);
    }
}

#[tokio::test]
async fn an_answer_waits_for_its_client() {
    let client = Client::of(server(), "2025-11-25").await;
    let mut gate = Gate::new("lh answer kept");
    let (_, body) = client.waiting(&mut gate).await;
    drop(body);
    gate.release();
    gate.ended().await;
    // Also more than once: whether it arrived, only the client knows.
    for _ in 0..2 {
        let mut body = client.resume("1_1").await.into_body();
        assert_eq!(event(&mut body).await.text(), "released");
        assert_eq!(next(&mut body).await, None);
    }
    // "HTTP 204 No Content" tells it to come no more.
    assert_eq!(client.resume("1_2").await.status(), 204);
}

#[tokio::test]
async fn of_two_connections_the_newer_has_the_stream() {
    let client = Client::of(server(), "2025-11-25").await;
    let mut gate = Gate::new("lh two resumes");
    let (_, mut first) = client.waiting(&mut gate).await;
    assert_eq!(event(&mut first).await.id(), "1_0");
    let mut second = client.resume("1_1").await.into_body();
    assert_eq!(next(&mut first).await, None);
    let mut third = client.resume("1_0").await.into_body();
    assert_eq!(next(&mut second).await, None);
    assert_eq!(event(&mut third).await.id(), "1_1");
    drop((first, second));
    gate.release();
    assert_eq!(event(&mut third).await.text(), "released");
    assert_eq!(next(&mut third).await, None);
}

#[tokio::test]
async fn streams_do_not_mix() {
    let client = Client::of(server(), "2025-11-25").await;
    let (mut one, mut two) = (Gate::new("lh stream one"), Gate::new("lh stream two"));
    drop(client.waiting(&mut one).await);
    drop(client.waiting(&mut two).await);
    one.release();
    two.release();
    one.ended().await;
    two.ended().await;
    let ids = async |last: &'static str| {
        let events = Event::all(&Answer::of(client.resume(last).await).await.body);
        events.into_iter().map(|event| event.id.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(ids("2_0").await, ["2_1", "2_2"]);
    assert_eq!(ids("1_0").await, ["1_1", "1_2"]);
}

#[tokio::test]
async fn ids_that_name_no_event_are_refused() {
    let client = Client::of(server(), "2025-11-25").await;
    let mut gate = Gate::new("lh bad ids");
    let (_, _body) = client.waiting(&mut gate).await;
    // A second session has another first stream, and no way to this one.
    let other = Client::new(&client.service, "2025-11-25").await;
    assert_eq!(other.resume("1_0").await.status(), 400);
    let huge = "9".repeat(60_000);
    for bad in ["", "x", "1", "1_", "_1", "1_2", "1_99", "2_0", "0_0", "01_0", "-1_0", "1_0;", &huge] {
        let answer = Answer::of(client.resume(bad).await).await;
        assert_eq!(answer.refusal(), (400, Value::Null, -32600), "{bad}");
        assert!(answer.body.len() < 400, "{}", answer.body.len());
    }
    let latin = http::HeaderValue::from_bytes(b"1_\xff\t0").unwrap();
    let mut request = client.bare(Method::GET);
    request.headers_mut().insert("last-event-id", latin);
    assert_eq!(client.status(request).await, 400);
    let mut twice = with(client.bare(Method::GET), "last-event-id", "1_0");
    twice.headers_mut().append("last-event-id", "1_0".parse().unwrap());
    assert_eq!(client.status(twice).await, 400);
    gate.release();
}

#[tokio::test]
async fn a_cancelled_call_has_nothing_more_to_say() {
    let client = Client::of(server(), "2025-11-25").await;
    let mut gate = Gate::new("lh resume cancelled");
    let (id, body) = client.waiting(&mut gate).await;
    drop(body);
    client.send(&cancelled(&id)).await;
    gate.ended().await;
    while client.resume("1_1").await.status() != 204 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_sent_is_forgotten_in_time() {
    let client = Client::of(server().session_idle(Duration::from_secs(600)), "2025-11-25").await;
    let say = client.tool("http_say", json!({}));
    assert_eq!(Event::all(&client.send(&say).await.body).len(), 4);
    tokio::time::sleep(Duration::from_secs(30)).await;
    assert_eq!(Event::all(&Answer::of(client.resume("1_0").await).await.body).len(), 3);
    tokio::time::sleep(Duration::from_secs(120)).await;
    assert_eq!(client.resume("1_0").await.status(), 400);
}

#[tokio::test]
async fn a_session_keeps_a_number_of_streams() {
    let client = Client::of(server(), "2025-11-25").await;
    for _ in 0..70 {
        client.send(&client.tool("http_say", json!({}))).await;
    }
    assert_eq!(client.resume("1_0").await.status(), 400);
    assert_eq!(client.resume("70_0").await.status(), 200);
}

#[tokio::test]
async fn an_answer_to_nobody_is_kept_whatever_was_said_before() {
    let client = Client::of(server(), "2025-11-25").await;
    let request = client.tool("lh_chatter", json!({ "lines": 2000 }));
    drop(client.stream(client.post(&request)).await);
    let body = loop {
        let answer = Answer::of(client.resume("1_0").await).await;
        if answer.body.contains("result") {
            break answer.body;
        }
    };
    let events = Event::all(&body);
    assert_eq!(events.last().unwrap().text(), "said");
    assert_eq!(events.last().unwrap().id(), "1_2001");
}
