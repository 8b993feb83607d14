//! basic/transports/stdio, Sending Messages and Receiving Messages.

use serde_json::{Value, json};

use super::fixture::{Client, answer, call, error};

#[tokio::test]
async fn answers_come_as_requests_finish() {
    let mut client = Client::new();
    for (id, name) in [(1, "first"), (2, "second"), (3, "third")] {
        client.call(id, "wait", json!({ "name": name })).await;
        client.hear(&format!("started {name}")).await;
    }
    for (id, name) in [(3, "third"), (1, "first"), (2, "second")] {
        client.release(name);
        assert_eq!(client.receive().await, answer(id, name));
        client.hear(&format!("dropped {name}")).await;
    }
    assert_eq!(client.close().await.0, [] as [Value; 0]);
}

#[tokio::test]
async fn notifications_come_before_their_answer() {
    let mut client = Client::new();
    for (id, tool) in [(1, "chatty"), (2, "chatty_at_once")] {
        client.call(id, tool, json!({})).await;
        let notification = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "method": format!("notifications/{method}"), "params": params });
        let expected = [
            notification("message", json!({ "level": "info", "data": "hello" })),
            notification(
                "progress",
                json!({ "progressToken": "p", "progress": 1, "total": 2, "message": "half" }),
            ),
            notification("progress", json!({ "progressToken": "p", "progress": 2, "total": 2 })),
            answer(id, "done"),
        ];
        for expected in expected {
            assert_eq!(client.receive().await, expected, "{tool}");
        }
    }
}

/// "Messages [..] MUST NOT contain embedded newlines."
#[tokio::test]
async fn newlines_between_the_tokens_of_an_answer_are_no_ends_of_lines() {
    let mut client = Client::new();
    client.call(1, "pretty", json!({})).await;
    let message = client.receive().await;
    assert_eq!(message["result"]["structuredContent"], json!({ "a": 1 }));
    assert_eq!(message["result"]["content"][0]["text"], "{\n  \"a\":\r\n 1\n}");
}

/// "The request ID MUST NOT match the ID of any other request the sender has issued and not yet received a
/// response for." (basic/index, Requests)
#[tokio::test]
async fn an_id_in_flight_is_refused_and_the_first_request_goes_on() {
    let mut client = Client::new();
    client.call("\"a\"", "wait", json!({ "name": "first" })).await;
    client.hear("started first").await;
    // The same id, spelled differently.
    client.call("\"\\u0061\"", "echo", json!({ "text": "second" })).await;
    let why = "Invalid Request: a request with the id \"a\" is in flight";
    assert_eq!(client.receive().await, error("a", -32600, why));
    client.release("first");
    assert_eq!(client.receive().await, answer("a", "first"));
    // Then the id is free.
    client.call("\"a\"", "echo", json!({ "text": "third" })).await;
    assert_eq!(client.receive().await, answer("a", "third"));
}

#[tokio::test]
async fn the_string_1_and_the_number_1_are_two_ids() {
    let mut client = Client::new();
    client.call(1, "wait", json!({ "name": "number" })).await;
    client.call("\"1\"", "wait", json!({ "name": "string" })).await;
    client.hear("started number").await;
    client.hear("started string").await;
    client.release("string");
    assert_eq!(client.receive().await, answer("1", "string"));
    client.release("number");
    assert_eq!(client.receive().await, answer(1, "number"));
}

#[tokio::test]
async fn a_panic_is_answered_and_the_server_lives_on() {
    let mut client = Client::new();
    for (id, tool) in [(1, "panic"), (2, "panic_later")] {
        client.call(id, tool, json!({})).await;
        assert_eq!(client.receive().await, error(id, -32603, "Internal error"));
        client.call(id, "echo", json!({ "text": "well" })).await;
        assert_eq!(client.receive().await, answer(id, "well"));
    }
}

#[tokio::test]
async fn what_was_panicked_with_may_panic_in_its_drop() {
    let mut client = Client::new();
    for (id, tool) in [(1, "panic_with_a_bomb"), (2, "panic_with_a_bomb_later")] {
        client.call(id, tool, json!({})).await;
        assert_eq!(client.receive().await, error(id, -32603, "Internal error"));
        client.call(id, "echo", json!({ "text": "well" })).await;
        assert_eq!(client.receive().await, answer(id, "well"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handler_that_holds_its_thread_does_not_stop_the_reading() {
    let mut client = Client::new();
    client.call(1, "block", json!({})).await;
    client.hear("started block").await;
    client.call(2, "echo", json!({ "text": "meanwhile" })).await;
    assert_eq!(client.receive().await, answer(2, "meanwhile"));
    client.release_thread.send(()).expect("the tool waits");
    assert_eq!(client.receive().await, answer(1, "released"));
}

#[tokio::test]
async fn too_many_requests_are_turned_away() {
    let mut client = Client::of(|server| server.max_in_flight(1));
    client.call(1, "wait", json!({ "name": "first" })).await;
    client.hear("started first").await;
    client.call(2, "wait", json!({ "name": "second" })).await;
    let text = "The server is busy with 1 requests; try again when some of them are answered";
    let mut expected = answer(2, text);
    expected["result"]["isError"] = true.into();
    assert_eq!(client.receive().await, expected);
    // What needs no waiting takes nobody's place.
    client.call(3, "echo", json!({ "text": "still" })).await;
    assert_eq!(client.receive().await, answer(3, "still"));
    client.release("first");
    assert_eq!(client.receive().await, answer(1, "first"));
    client.hear("dropped first").await;
    client.call(4, "wait", json!({ "name": "third" })).await;
    client.hear("started third").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_pipelined_requests_are_each_answered_once() {
    const COUNT: usize = 10_000;
    let mut client = Client::new();
    let (mut writer, _kept) = tokio::io::duplex(1);
    std::mem::swap(&mut writer, &mut client.writer);
    let writing = tokio::spawn(async move {
        use tokio::io::AsyncWriteExt;
        for id in 0..COUNT {
            // Every third one waits, and is a task of its own.
            let tool = if id % 3 == 0 { "chatty" } else { "echo" };
            let line = call(id, tool, &json!({ "text": id.to_string() })) + "\n";
            writer.write_all(line.as_bytes()).await.expect("the server reads");
        }
    });
    let mut answered = vec![false; COUNT];
    for _ in 0..COUNT {
        let message = loop {
            let message = client.receive().await;
            if message.get("id").is_some() {
                break message;
            }
        };
        let id = usize::try_from(message["id"].as_u64().expect("the id is a number")).expect("it is small");
        let text = if id % 3 == 0 { "done".to_owned() } else { id.to_string() };
        if message["result"]["isError"] == true {
            // More than may be in flight: said so, and that is an answer.
            assert_eq!(id % 3, 0);
        } else {
            assert_eq!(message, answer(id, &text));
        }
        assert!(!std::mem::replace(&mut answered[id], true), "{id} is answered twice");
    }
    writing.await.expect("all is written");
    assert_eq!(client.rest().await.0, [] as [Value; 0]);
}
