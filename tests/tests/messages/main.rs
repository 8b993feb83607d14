//! basic/index, Messages: 100,000 random and mutated messages. None of them stops the server, each gets an answer or a
//! rightful silence, and every answer is valid JSON-RPC with the right id.
//!
//! What is due is derived from the message's text, read with `serde_json` alone.

mod due;
mod generator;

use mcp_runtime::testing::Client;
use mcp_tests::client;
use serde_json::{Value, json};

use due::{INVALID_REQUEST, PARSE_ERROR, check, due};
use generator::{Generator, seeds};

mod entries {
    use std::collections::BTreeMap;

    use mcp_runtime::prelude::*;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use serde_json::Value;

    #[tool]
    fn echo(text: String) -> String {
        text
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "kind")]
    enum Shape {
        Circle { radius: f64 },
        Square { side: u8, more: Option<Vec<Shape>> },
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    enum Loose {
        Number(i64),
        Text(String),
        Map(BTreeMap<String, Option<u8>>),
    }

    #[tool]
    #[allow(clippy::too_many_arguments, reason = "one of each kind")]
    async fn shapes(
        #[arg(range(1..=9))] n: i8,
        shape: Shape,
        loose: Option<Loose>,
        #[arg(length(..=3), pattern = "^[a-z]*$")] word: Option<&str>,
        list: Option<Vec<(u8, String)>>,
        any: Option<Value>,
        #[arg(default = 0.5)] ratio: f64,
        ctx: &Context,
    ) -> Result<Json<Shape>, String> {
        ctx.progress(1.0, 2.0, "half");
        ctx.log(LogLevel::Info, (word, list, any, ratio));
        tokio::task::yield_now().await;
        ctx.progress(2.0, 2.0, "whole");
        match loose {
            Some(Loose::Number(number)) => Err(format!("{n} {number}")),
            Some(Loose::Text(text)) => Err(text),
            Some(Loose::Map(map)) => Err(format!("{map:?}")),
            None => Ok(Json(shape)),
        }
    }

    #[resource("app://a")]
    fn fixed() -> &'static str {
        "a"
    }

    #[resource("db://{table}/rows/{id}{?limit,exact}")]
    fn row(table: &str, id: i64, limit: Option<u8>, exact: Option<bool>) -> String {
        format!("{table} {id} {limit:?} {exact:?}")
    }

    #[resource("file:///{+path}")]
    fn file(path: mcp_runtime::SafePath) -> String {
        path.as_str().to_owned()
    }

    #[prompt]
    fn prompt(text: String, flag: Option<bool>, n: Option<u32>) -> Vec<Message> {
        vec![Message::user(text), Message::assistant(format!("{flag:?} {n:?}"))]
    }
}

const MESSAGES: u32 = 100_000;

async fn is_due(client: &Client, message: Vec<u8>) {
    let due = due(&message);
    let shown = String::from_utf8_lossy(&message).into_owned();
    let answers = client.send(message).await;
    if let Err(what) = check(&due, &answers) {
        panic!("{what}\nmessage: {shown}\ndue: {due:?}\nanswers: {}", Value::from(answers));
    }
}

/// What the seeds themselves are due, so that the mutations start from messages that work.
#[tokio::test]
async fn the_messages_that_others_are_made_of_are_answered() {
    let client = client("messages::entries");
    for seed in seeds() {
        let answers = client.send(seed.to_string()).await;
        let silent = seed.get("id").is_none() || seed.get("method").is_none();
        assert_eq!(answers.is_empty(), silent, "{seed}");
        is_due(&client, seed.to_string().into_bytes()).await;
        let refused = seed["params"]["cursor"] == "x" || seed["method"] == "initialize";
        if let Some(answer) = answers.last().filter(|_| !refused) {
            assert!(answer["result"].is_object(), "{seed}: {answer}");
            let fails = seed["id"] == 5;
            assert_eq!(answer["result"]["isError"] == true, fails, "{seed}: {answer}");
        }
    }
}

/// "100,000 random and mutated messages […]: no panic, and an answer or a rightful silence for each" (issue 2).
#[tokio::test]
async fn a_hundred_thousand_messages() {
    let client = client("messages::entries");
    let mut generator = Generator::new(seeds());
    for _ in 0..MESSAGES {
        is_due(&client, generator.message()).await;
    }
    assert_eq!(mcp_tests::said(&client, "echo", json!({ "text": "still here" })).await, "still here");
}

/// Each kind of message that is none (basic/index, Messages), exactly.
#[tokio::test]
async fn what_is_no_message_is_told_so() {
    let client = client("messages::entries");
    for (message, id, code, text) in [
        ("", None, PARSE_ERROR, "Parse error: EOF while parsing a value at line 1 column 0"),
        ("{", None, PARSE_ERROR, "Parse error: EOF while parsing an object at line 1 column 1"),
        (
            "[]",
            None,
            INVALID_REQUEST,
            "Invalid Request: batches are not part of this protocol revision; send one message at a time",
        ),
        ("5", None, INVALID_REQUEST, "Invalid Request: a message is a JSON object"),
        ("null", None, INVALID_REQUEST, "Invalid Request: a message is a JSON object"),
        ("{}", None, INVALID_REQUEST, "Invalid Request: `jsonrpc` must be \"2.0\""),
        (
            r#"{"jsonrpc":"1.0","id":1,"method":"x"}"#,
            Some(json!(1)),
            INVALID_REQUEST,
            "Invalid Request: `jsonrpc` must be \"2.0\"",
        ),
        (
            r#"{"jsonrpc":"2.0","id":"x"}"#,
            Some(json!("x")),
            INVALID_REQUEST,
            "Invalid Request: `method` is missing",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":5}"#,
            Some(json!(1)),
            INVALID_REQUEST,
            "Invalid Request: `method` must be a string, not a number",
        ),
        (
            r#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#,
            None,
            INVALID_REQUEST,
            "Invalid Request: `id` must be a string or an integer, not null",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}"#,
            None,
            INVALID_REQUEST,
            "Invalid Request: `id` must be a string or an integer, not a number",
        ),
        (
            r#"{"jsonrpc":"2.0","id":{},"method":"tools/list"}"#,
            None,
            INVALID_REQUEST,
            "Invalid Request: `id` must be a string or an integer, not an object",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}"#,
            Some(json!(1)),
            INVALID_REQUEST,
            "Invalid Request: `method` is given twice",
        ),
    ] {
        let mut expected = json!({ "jsonrpc": "2.0", "error": { "code": code, "message": text } });
        if let Some(id) = id {
            expected["id"] = id;
        }
        assert_eq!(client.send(message).await, [expected], "{message}");
    }
    let invalid = client.send(b"{\"a\":\"\xff\"}".to_vec()).await;
    assert_eq!(
        invalid,
        [json!({ "jsonrpc": "2.0", "error": {
            "code": PARSE_ERROR, "message": "Parse error: the message is not UTF-8 (byte 6)",
        } })]
    );
}

/// basic/index, Notifications: "The receiver MUST NOT send a response", whatever is wrong with it.
#[tokio::test]
async fn notifications_and_responses_get_no_answer() {
    let client = client("messages::entries");
    for message in [
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": 5 }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled" }),
        json!({ "jsonrpc": "2.0", "method": "tools/call", "params": { "name": "echo" } }),
        json!({ "jsonrpc": "2.0", "method": "no/such/method" }),
        json!({ "jsonrpc": "2.0", "id": 1, "result": {} }),
        json!({ "jsonrpc": "2.0", "id": null, "error": { "code": 1, "message": "x" } }),
        json!({ "jsonrpc": "2.0", "error": { "code": 1, "message": "x" } }),
    ] {
        assert_eq!(client.send(message.to_string()).await, Vec::<Value>::new(), "{message}");
    }
}
