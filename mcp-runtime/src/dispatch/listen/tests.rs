use std::sync::Arc;

use serde_json::{Value, json};

use crate::changes::{Change, Loopback};
use crate::context::{Context, Outgoing};
use crate::dispatch::{Event, Exchange, admit};
use crate::message::Message;
use crate::server::{Core, Server};

const GROUP: &str = "listen-tests";

/// A note by its number.
#[crate::resource("listen://notes/{number}", group = "listen-tests")]
fn note(number: u32) -> String {
    format!("note {number}")
}

/// Something to call.
#[crate::tool(group = "listen-tests")]
fn listen_tool() {}

fn core() -> Arc<Core> {
    Server::new().name("test").version("1").only(GROUP).bus(Loopback::default()).build().unwrap()
}

fn listen(core: &Arc<Core>, id: &Value, notifications: &Value) -> Exchange {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let mut params = json!({ "_meta": meta, "unknown": [] });
    if !notifications.is_null() {
        params["notifications"] = notifications.clone();
    }
    let message = json!({ "jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": params });
    let Message::Request(request) = Message::read(message.to_string().into()) else {
        panic!("it is a request")
    };
    let admitted = admit(core, &request).unwrap();
    let ctx = Context::new(Arc::clone(core), admitted.catalog, *request, Outgoing::Open);
    Exchange::start(ctx, admitted.method)
}

async fn next(exchange: &mut Exchange) -> Value {
    let bytes = match exchange.next().await {
        Event::Notification(bytes) => bytes,
        Event::Reply(reply) => reply.bytes,
    };
    serde_json::from_slice(&bytes).unwrap()
}

fn notification(method: &str, id: &Value, rest: Value) -> Value {
    let mut params = rest;
    params["_meta"] = json!({ "io.modelcontextprotocol/subscriptionId": id });
    json!({ "jsonrpc": "2.0", "method": format!("notifications/{method}"), "params": params })
}

#[tokio::test]
async fn the_subset_is_acknowledged_first_and_every_message_names_the_subscription() {
    for id in [json!(1), json!("a \"quoted\" id"), json!(-7), json!("1")] {
        let core = core();
        let asked = json!({
            "toolsListChanged": true,
            "promptsListChanged": true,
            "resourcesListChanged": false,
            "resourceSubscriptions": ["listen://notes/1", "LISTEN://notes/%31", "listen://notes/x/y", "other://1"],
            "tasksChanged": true,
        });
        let mut listening = listen(&core, &id, &asked);
        core.hub().publish(Change::Tools);
        let honoured = json!({ "toolsListChanged": true, "resourceSubscriptions": ["listen://notes/1"] });
        let acknowledged =
            notification("subscriptions/acknowledged", &id, json!({ "notifications": honoured }));
        assert_eq!(next(&mut listening).await, acknowledged);
        assert_eq!(next(&mut listening).await, notification("tools/list_changed", &id, json!({})));
        for change in [Change::Prompts, Change::Resources, Change::Resource("listen://notes/2".into())] {
            core.hub().publish(change);
        }
        core.hub().publish(Change::Resource("listen://notes/1".into()));
        let updated = notification("resources/updated", &id, json!({ "uri": "listen://notes/1" }));
        assert_eq!(next(&mut listening).await, updated);
        core.hub().close();
        let meta = json!({
            "io.modelcontextprotocol/subscriptionId": id,
            "io.modelcontextprotocol/serverInfo": { "name": "test", "version": "1" },
        });
        let result = json!({ "resultType": "complete", "_meta": meta });
        assert_eq!(next(&mut listening).await, json!({ "jsonrpc": "2.0", "id": id, "result": result }));
    }
}

#[tokio::test]
async fn an_address_keeps_the_spelling_of_the_client() {
    let core = core();
    let mut listening = listen(&core, &json!(1), &json!({ "resourceSubscriptions": ["LISTEN://notes/%31"] }));
    let acknowledged = next(&mut listening).await;
    assert_eq!(
        acknowledged["params"]["notifications"]["resourceSubscriptions"],
        json!(["LISTEN://notes/%31"])
    );
    core.hub().publish(Change::Resource("listen://notes/1".into()));
    assert_eq!(next(&mut listening).await["params"]["uri"], "LISTEN://notes/%31");
}

#[tokio::test]
async fn nothing_is_asked_for_and_nothing_is_honoured() {
    for asked in [json!({}), json!({ "toolsListChanged": null, "resourceSubscriptions": null })] {
        let mut listening = listen(&core(), &json!(1), &asked);
        assert_eq!(next(&mut listening).await["params"]["notifications"], json!({}));
    }
}

#[tokio::test]
async fn wrong_params_are_named() {
    for (notifications, message) in [
        (Value::Null, "Invalid params: `params.notifications` is missing"),
        (json!([]), "Invalid params: `params.notifications` must be an object, not an array"),
        (json!("tools"), "Invalid params: `params.notifications` must be an object, not a string"),
        (
            json!({ "toolsListChanged": "yes" }),
            "Invalid params: `params.notifications.toolsListChanged` must be a boolean, not a string",
        ),
        (
            json!({ "promptsListChanged": 1 }),
            "Invalid params: `params.notifications.promptsListChanged` must be a boolean, not a number",
        ),
        (
            json!({ "resourcesListChanged": {} }),
            "Invalid params: `params.notifications.resourcesListChanged` must be a boolean, not an object",
        ),
        (
            json!({ "resourceSubscriptions": "listen://notes/1" }),
            "Invalid params: `params.notifications.resourceSubscriptions` must be an array of strings, not a string",
        ),
        (
            json!({ "resourceSubscriptions": [1] }),
            "Invalid params: `params.notifications.resourceSubscriptions` must be an array of strings, not an array \
             of something else",
        ),
    ] {
        let core = core();
        let mut refused = listen(&core, &json!(1), &notifications);
        let reply: Value = serde_json::from_slice(&refused.take_immediate().unwrap().bytes).unwrap();
        assert_eq!(reply["error"], json!({ "code": -32602, "message": message }));
        assert_eq!(core.hub().len(), 0);
    }
}

#[tokio::test]
async fn one_too_many_is_turned_away_until_another_ends() {
    let core = Server::new().only(GROUP).max_subscriptions(1).build().unwrap();
    let first = listen(&core, &json!(1), &json!({}));
    let reply = listen(&core, &json!(2), &json!({})).take_immediate().unwrap();
    assert_eq!(reply.error, Some(-32603));
    assert!(String::from_utf8(reply.bytes).unwrap().contains("The server has 1 subscriptions, its most"));
    drop(first);
    assert!(listen(&core, &json!(2), &json!({})).take_immediate().is_none());
}

#[tokio::test]
async fn at_most_ten_thousand_addresses_are_honoured() {
    let uris: Vec<_> = (0..10_001).map(|number| format!("listen://notes/{number}")).collect();
    let mut listening = listen(&core(), &json!(1), &json!({ "resourceSubscriptions": uris }));
    let acknowledged = next(&mut listening).await;
    assert_eq!(acknowledged["params"]["notifications"]["resourceSubscriptions"], json!(uris[..10_000]));
}

#[tokio::test]
async fn an_idle_subscription_is_small() {
    // What a stream costs besides: a boxed timer of the keep-alive, and a place in the hub.
    assert!(size_of::<super::Listening>() <= 64, "{}", size_of::<super::Listening>());
    assert!(size_of::<Exchange>() <= 128, "{}", size_of::<Exchange>());
}

/// "MUST NOT send any notification on the subscription before" the acknowledgement, and nothing after it is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_while_clients_subscribe() {
    let core = core();
    let publisher = {
        let core = Arc::clone(&core);
        std::thread::spawn(move || {
            while Arc::strong_count(&core) > 1 {
                core.hub().publish(Change::Resource("listen://notes/1".into()));
            }
        })
    };
    for id in 0..200 {
        let mut listening =
            listen(&core, &json!(id), &json!({ "resourceSubscriptions": ["listen://notes/1"] }));
        assert_eq!(next(&mut listening).await["method"], "notifications/subscriptions/acknowledged");
        // The publisher goes on, so there is a change after the acknowledgement, and another after that.
        for _ in 0..2 {
            assert_eq!(next(&mut listening).await["method"], "notifications/resources/updated");
        }
    }
    drop(core);
    publisher.join().unwrap();
}
