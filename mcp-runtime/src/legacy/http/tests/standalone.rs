//! The stream of what belongs to no request (2025-11-25, basic/transports, Listening for Messages from the Server).

use http::Method;
use serde_json::{Value, json};

use super::fixture::{Client, event, next, server};
use crate::transport::http::tests::client::{next_piece, soon};

const NOTE: &str = "fixture://notes/größe";

async fn change(client: &Client) {
    assert_eq!(client.send(&client.tool("lh_change", json!({}))).await.status, 200);
}

async fn update(client: &Client) {
    assert_eq!(client.send(&client.tool("lh_update", json!({ "uri": NOTE }))).await.status, 200);
}

#[tokio::test]
async fn changes_arrive_there() {
    let client = Client::of(server(), "2025-11-25").await;
    let mut body = client.stream(client.bare(Method::GET)).await;
    let prime = soon(next_piece(&mut body)).await.unwrap();
    assert_eq!(prime, "id: 0_1\ndata: \n\n");
    change(&client).await;
    let told = event(&mut body).await;
    assert_eq!((told.id(), &told.data["method"]), ("0_2", &json!("notifications/tools/list_changed")));
    update(&client).await;
    let subscribe = client.request("resources/subscribe", json!({ "uri": NOTE }));
    assert_eq!(client.send(&subscribe).await.json()["result"], json!({}));
    update(&client).await;
    let told = event(&mut body).await;
    assert_eq!(told.data["method"], "notifications/resources/updated");
    assert_eq!(told.data["params"]["uri"], NOTE);
    assert_eq!(told.id(), "0_3");
}

#[tokio::test]
async fn older_revisions_have_it_without_a_prime() {
    let client = Client::of(server(), "2025-03-26").await;
    let mut body = client.stream(client.bare(Method::GET)).await;
    assert_eq!(soon(next_piece(&mut body)).await.as_deref(), Some(":\n\n"));
    change(&client).await;
    assert_eq!(event(&mut body).await.data["method"], "notifications/tools/list_changed");
}

/// A flag for each thing, so that whoever does not read costs no more than that.
#[tokio::test]
async fn what_nobody_reads_is_told_once() {
    let client = Client::of(server(), "2025-11-25").await;
    for _ in 0..100 {
        change(&client).await;
    }
    let mut body = client.stream(client.bare(Method::GET)).await;
    for _ in 0..100 {
        change(&client).await;
    }
    assert_eq!(event(&mut body).await.data, Value::Null);
    assert_eq!(event(&mut body).await.data["method"], "notifications/tools/list_changed");
    let subscribe = client.request("resources/subscribe", json!({ "uri": NOTE }));
    client.send(&subscribe).await;
    update(&client).await;
    assert_eq!(event(&mut body).await.data["method"], "notifications/resources/updated");
}

#[tokio::test]
async fn a_second_one_replaces_the_first() {
    let client = Client::of(server(), "2025-11-25").await;
    let mut first = client.stream(client.bare(Method::GET)).await;
    assert_eq!(event(&mut first).await.id(), "0_1");
    let mut second = client.stream(client.bare(Method::GET)).await;
    assert_eq!(next(&mut first).await, None);
    assert_eq!(event(&mut second).await.id(), "0_2");
    change(&client).await;
    assert_eq!(event(&mut second).await.id(), "0_3");
    drop(first);
    change(&client).await;
    assert_eq!(event(&mut second).await.id(), "0_4");
}

#[tokio::test]
async fn it_is_resumed_like_any_other() {
    let client = Client::of(server(), "2025-11-25").await;
    let mut body = client.stream(client.bare(Method::GET)).await;
    assert_eq!(event(&mut body).await.id(), "0_1");
    change(&client).await;
    assert_eq!(event(&mut body).await.id(), "0_2");
    drop(body);
    let mut body = client.resume("0_1").await.into_body();
    assert_eq!(event(&mut body).await.id(), "0_2");
    change(&client).await;
    assert_eq!(event(&mut body).await.id(), "0_3");
}

/// "The server MUST send each of its JSON-RPC messages on only one of the connected streams".
#[tokio::test]
async fn what_belongs_to_a_call_is_not_told_there() {
    let client = Client::of(server(), "2025-11-25").await;
    let mut standalone = client.stream(client.bare(Method::GET)).await;
    assert_eq!(event(&mut standalone).await.id(), "0_1");
    let answer = client.send(&client.tool("http_say", json!({}))).await;
    assert_eq!(super::fixture::Event::all(&answer.body).len(), 4);
    change(&client).await;
    assert_eq!(event(&mut standalone).await.data["method"], "notifications/tools/list_changed");
}
