//! What the suites share: requests as the specification writes them, and answers as clients see them.

mod binaries;
pub mod logs;
pub mod rounds;

pub use binaries::binary;

use mcp_runtime::Server;
use mcp_runtime::testing::Client;
use serde_json::{Map, Value, json};

/// The revision that is spoken.
pub const VERSION: &str = "2026-07-28";

/// What a request without notifications, or a notification, is given.
pub const NONE: [Value; 0] = [];

/// A client of a server with the entries of one module, called `tests` 1.2.3.
///
/// # Panics
///
/// If the server has a fault.
pub fn client(module: &str) -> Client {
    Client::new(server(module)).unwrap_or_else(|faults| panic!("{faults}"))
}

/// A server with the entries of one module, called `tests` 1.2.3.
pub fn server(module: &str) -> Server {
    Server::new().name("tests").version("1.2.3").only(module)
}

/// A whole request with the `_meta` that every request must have (basic/index, `_meta`).
pub fn request(id: impl Into<Value>, method: &str, mut params: Value) -> Value {
    let own = params["_meta"].take();
    let mut meta = Map::from_iter([
        ("io.modelcontextprotocol/protocolVersion".to_owned(), json!(VERSION)),
        (
            "io.modelcontextprotocol/clientInfo".to_owned(),
            json!({ "name": "ExampleClient", "version": "1.0.0" }),
        ),
        ("io.modelcontextprotocol/clientCapabilities".to_owned(), json!({})),
    ]);
    meta.extend(own.as_object().cloned().unwrap_or_default());
    params["_meta"] = meta.into();
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

/// The notifications and the answer that one request gets.
///
/// # Panics
///
/// If there is no answer, if it is no JSON-RPC response with the request's id, or if something follows it.
pub async fn exchange(client: &Client, request: &Value) -> (Vec<Value>, Value) {
    let mut messages = client.send(request.to_string()).await;
    let answer = messages.pop().unwrap_or_else(|| panic!("no answer to {request}"));
    assert_eq!(answer["jsonrpc"], "2.0", "{answer}");
    assert_eq!(answer["id"], request["id"], "{answer}");
    assert_ne!(answer.get("result").is_some(), answer.get("error").is_some(), "{answer}");
    for notification in &messages {
        assert_eq!(notification["jsonrpc"], "2.0", "{notification}");
        assert_eq!(notification.get("id"), None, "\"Notifications MUST NOT include an ID\": {notification}");
        assert!(notification["method"].is_string(), "{notification}");
    }
    (messages, answer)
}

/// The result of a request, without what every result has: `resultType`, and the server's name in `_meta`.
///
/// # Panics
///
/// If the answer is an error, or lacks what every result has.
pub async fn result(client: &Client, method: &str, params: Value) -> Value {
    let (_, mut answer) = exchange(client, &request(1, method, params)).await;
    bare(answer["result"].take(), &answer)
}

fn bare(mut result: Value, answer: &Value) -> Value {
    let members = result.as_object_mut().unwrap_or_else(|| panic!("not a result: {answer}"));
    assert_eq!(members.shift_remove("resultType"), Some(json!("complete")));
    let meta = members["_meta"].as_object_mut().expect("every result has `_meta`");
    let info =
        meta.shift_remove("io.modelcontextprotocol/serverInfo").expect("every result names the server");
    assert!(info["name"].is_string() && info["version"].is_string(), "{info}");
    if meta.is_empty() {
        members.shift_remove("_meta");
    }
    result
}

/// The error that a request gets.
///
/// # Panics
///
/// If it gets a result.
pub async fn error(client: &Client, method: &str, params: Value) -> Value {
    let (_, mut answer) = exchange(client, &request(1, method, params)).await;
    let error = answer["error"].take();
    assert!(error.is_object(), "not an error: {answer}");
    error
}

/// The result of `tools/call`.
pub async fn call(client: &Client, name: &str, arguments: Value) -> Value {
    result(client, "tools/call", json!({ "name": name, "arguments": arguments })).await
}

/// The text of a tool that answers with one block of text.
///
/// # Panics
///
/// If the answer is anything else.
pub async fn said(client: &Client, name: &str, arguments: Value) -> String {
    let result = call(client, name, arguments).await;
    let text = result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
    assert_eq!(result, json!({ "content": [{ "type": "text", "text": text }] }));
    text
}

/// The text of a tool's failure, as the model reads it.
///
/// # Panics
///
/// If the tool did not fail.
pub async fn failed(client: &Client, name: &str, arguments: Value) -> String {
    let result = call(client, name, arguments).await;
    let text = result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
    assert_eq!(result, json!({ "content": [{ "type": "text", "text": text }], "isError": true }));
    text
}

/// What a bad call says of its arguments, a line each.
///
/// # Panics
///
/// If the arguments were not refused.
pub async fn refused(client: &Client, name: &str, arguments: Value) -> Vec<String> {
    let text = failed(client, name, arguments).await;
    let mut lines = text.lines();
    let heading = lines.next().unwrap_or_default();
    let faults: Vec<String> = lines.map(|line| line.strip_prefix("- ").unwrap_or(line).to_owned()).collect();
    let expected = match faults.len() {
        1 => format!("The call to `{name}` has a bad argument:"),
        count => format!("The call to `{name}` has {count} bad arguments:"),
    };
    assert_eq!(heading, expected, "{text}");
    faults
}

/// How a list describes the entry of this name.
///
/// # Panics
///
/// If the list does not have it.
pub async fn listed(client: &Client, list: &str, name: &str) -> Value {
    let items = client.list(list).await.unwrap_or_else(|error| panic!("{error}"));
    let found = items.into_iter().find(|item| item["name"] == name);
    found.unwrap_or_else(|| panic!("`{name}` is not among the {list}"))
}

/// The names in a list, in its order.
///
/// # Panics
///
/// If the server refuses to list.
pub async fn names(client: &Client, list: &str) -> Vec<String> {
    let items = client.list(list).await.unwrap_or_else(|error| panic!("{error}"));
    items.iter().map(|item| item["name"].as_str().unwrap_or_default().to_owned()).collect()
}
