//! Several messages in one POST (2025-03-26, basic/transports).

use serde_json::{Value, json};

use super::fixture::{Client, Gate, accepting, cancelled, event, next, notification, server};
use crate::transport::http::tests::client::set;

const REVISION: &str = "2025-03-26";

#[tokio::test]
async fn what_is_answered_at_once_is_one_array() {
    let client = Client::of(server(), REVISION).await;
    let batch = json!([
        client.add(),
        notification("notifications/roots/list_changed", json!({})),
        7,
        client.request("ping", json!({})),
        [client.add()],
        { "jsonrpc": "2.0", "id": "bad" },
    ]);
    let answer = client.send(&batch).await;
    assert_eq!(answer.status, 200);
    let answers = answer.json();
    assert_eq!(answers[0]["result"]["content"][0]["text"], "3");
    assert_eq!(answers[1]["error"]["code"], -32600);
    assert_eq!(answers[2]["result"], json!({}));
    assert_eq!(answers[3]["error"]["code"], -32600);
    assert_eq!((&answers[4]["id"], &answers[4]["error"]["code"]), (&json!("bad"), &json!(-32600)));
    assert_eq!(answers.as_array().unwrap().len(), 5);
}

#[tokio::test]
async fn a_batch_without_requests_is_accepted() {
    let client = Client::of(server(), REVISION).await;
    let batch = json!([
        notification("notifications/initialized", json!({})),
        { "jsonrpc": "2.0", "id": 1, "result": {} },
    ]);
    let answer = client.send(&batch).await;
    assert_eq!((answer.status.as_u16(), answer.body.as_str()), (202, ""));
}

#[tokio::test]
async fn answers_come_on_one_stream_as_they_are_there() {
    let client = Client::of(server(), REVISION).await;
    let mut gate = Gate::new("lh batch");
    let slow = client.tool("http_progress", json!({ "gate": gate.name }));
    let batch = json!([slow, client.tool("http_say", json!({})), client.add()]);
    let mut body = client.stream(client.post(&batch)).await;
    gate.started().await;
    let mut said = 0;
    let mut answered = Vec::new();
    while answered.len() < 2 {
        let event = event(&mut body).await;
        match event.data["id"].as_i64() {
            Some(id) => answered.push(id),
            None => said += 1,
        }
    }
    let id = |index: usize| batch[index]["id"].as_i64().unwrap();
    assert_eq!(answered.iter().sum::<i64>(), id(1) + id(2));
    gate.release();
    while let Some(event) = next(&mut body).await {
        match event.data["id"].as_i64() {
            Some(answer) => assert_eq!((answer, event.text()), (id(0), "released")),
            None => said += 1,
        }
    }
    assert_eq!(said, 3);
}

#[tokio::test]
async fn a_client_of_json_gets_all_answers_at_the_end() {
    let client = Client::of(server(), REVISION).await;
    let mut gate = Gate::new("lh batch json");
    let batch = json!([client.tool("http_wait", json!({ "gate": gate.name })), client.add()]);
    let release = async {
        gate.started().await;
        gate.release();
    };
    let (answer, ()) = tokio::join!(client.send_with(&batch, set("accept", "application/json")), release);
    assert_eq!(answer.json().as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn one_call_of_a_batch_is_cancelled_or_asks_by_itself() {
    let client = Client::of(server(), REVISION).await;
    let mut gate = Gate::new("lh batch cancel");
    let batch = json!([
        client.tool("http_progress", json!({ "gate": gate.name })),
        client.tool("lh_roots", json!({})),
    ]);
    let mut body = client.stream(client.post(&batch)).await;
    gate.started().await;
    assert_eq!(client.send(&cancelled(&batch[0]["id"])).await.status, 202);
    gate.ended().await;
    let question = loop {
        let event = event(&mut body).await;
        if event.data["method"] == "roots/list" {
            break event.data;
        }
    };
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "roots": [] } });
    assert_eq!(client.send(&json!([answer])).await.status, 202);
    let mut rest = Vec::new();
    while let Some(event) = next(&mut body).await {
        rest.extend(event.data["id"].as_i64());
    }
    assert_eq!(rest, [batch[1]["id"].as_i64().unwrap()]);
    // A batch says nothing to a question that nobody asked.
    assert_eq!(client.send(&json!([accepting(&question, "x")])).await.status, 202);
}

#[tokio::test]
async fn ids_of_one_batch_are_told_apart() {
    let client = Client::of(server(), REVISION).await;
    let (mut gate, unused) = (Gate::new("lh batch ids"), Gate::new("lh batch ids again"));
    let first = client.tool("http_wait", json!({ "gate": gate.name }));
    let mut second = client.tool("http_wait", json!({ "gate": unused.name }));
    second["id"] = first["id"].clone();
    let mut body = client.stream(client.post(&json!([first, second]))).await;
    assert_eq!(event(&mut body).await.data["error"]["code"], -32600);
    gate.started().await;
    gate.release();
    assert_eq!(event(&mut body).await.text(), "released");
    assert_eq!(next(&mut body).await, None);
}

#[tokio::test]
async fn each_call_counts_as_in_flight() {
    let client = Client::of(server().max_in_flight(1), REVISION).await;
    let (mut gate, unused) = (Gate::new("lh batch busy"), Gate::new("lh batch too busy"));
    let batch = json!([
        client.tool("http_wait", json!({ "gate": gate.name })),
        client.tool("http_wait", json!({ "gate": unused.name })),
    ]);
    let mut body = client.stream(client.post(&batch)).await;
    assert_eq!(event(&mut body).await.data["error"]["code"], -32603);
    gate.started().await;
    gate.release();
    assert_eq!(event(&mut body).await.text(), "released");
}

#[tokio::test]
async fn what_is_no_batch_is_refused() {
    let client = Client::of(server(), REVISION).await;
    let refused = async |batch: Value| {
        let answer = client.send(&batch).await;
        assert_eq!(answer.refusal(), (400, Value::Null, -32600), "{answer:?}");
        answer.message()
    };
    assert_eq!(refused(json!([])).await, "Invalid Request: the batch is empty");
    let many: Vec<_> = (0..101).map(|_| client.add()).collect();
    assert_eq!(refused(json!(many)).await, "Invalid Request: a batch has 100 messages at most, not 101");
    let begin = super::fixture::initialize(REVISION);
    assert!(refused(json!([client.add(), begin])).await.contains("`initialize`"));
    let mut broken = client.post(&Value::Null);
    *broken.body_mut() = "[1,".into();
    assert_eq!(client.status(broken).await, 400);
    for revision in ["2025-11-25", "2025-06-18", "2024-11-05"] {
        let client = Client::of(server(), revision).await;
        let answer = client.send(&json!([client.add()])).await;
        assert_eq!(answer.refusal(), (400, Value::Null, -32600));
        assert!(answer.message().contains(revision), "{answer:?}");
    }
}
