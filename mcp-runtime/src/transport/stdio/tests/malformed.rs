//! basic/index, Messages: what is no message gets its error, and the stream goes on.

use serde_json::{Value, json};

use super::fixture::{Client, answer, error};

async fn answers_to(line: impl AsRef<[u8]>) -> Vec<Value> {
    let mut client = Client::of(|server| server.body_limit(1000));
    client.send(line).await;
    client.call(7, "echo", json!({ "text": "on" })).await;
    let (mut answers, _) = client.close().await;
    assert_eq!(answers.pop(), Some(answer(7, "on")));
    answers
}

#[tokio::test]
async fn each_malformed_line_has_its_error() {
    let invalid = |id: Value, why: &str| error(id, -32600, &format!("Invalid Request: {why}"));
    let cases = [
        (&b"\xff{}"[..], error(Value::Null, -32700, "Parse error: the message is not UTF-8 (byte 0)")),
        (b"{", error(Value::Null, -32700, "Parse error: EOF while parsing an object at line 1 column 1")),
        (b"7", invalid(Value::Null, "a message is a JSON object")),
        (
            br#"[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]"#,
            invalid(
                Value::Null,
                "batches are not part of this protocol revision; send one message at a time",
            ),
        ),
        (
            br#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#,
            invalid(Value::Null, "`id` must be a string or an integer, not null"),
        ),
        (
            br#"{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}"#,
            invalid(Value::Null, "`id` must be a string or an integer, not a number"),
        ),
        (br#"{"id":1,"method":"tools/list"}"#, invalid(1.into(), "`jsonrpc` must be \"2.0\"")),
    ];
    for (line, expected) in cases {
        assert_eq!(answers_to(line).await, [expected], "{}", String::from_utf8_lossy(line));
    }
}

#[tokio::test]
async fn a_line_that_is_too_long_is_refused_once() {
    let expected = error(Value::Null, -32600, "Invalid Request: the message is longer than 1000 bytes");
    for length in [1001, 5000, 300_000] {
        assert_eq!(answers_to("x".repeat(length)).await, std::slice::from_ref(&expected), "{length}");
    }
}

#[tokio::test]
async fn what_wants_no_answer_gets_none() {
    let lines = [
        // "Clients do not send JSON-RPC responses."
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/unheard-of"}"#,
        "",
        " \t\r",
    ];
    for line in lines {
        assert_eq!(answers_to(line).await, [] as [Value; 0], "{line}");
    }
}

#[tokio::test]
async fn a_request_without_metadata_is_refused() {
    let why = "Invalid params: `_meta[\"io.modelcontextprotocol/protocolVersion\"]` is missing";
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    assert_eq!(answers_to(line).await, [error(1, -32602, why)]);
}
