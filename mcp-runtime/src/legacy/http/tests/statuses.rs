//! The status of every kind of message (2025-11-25, basic/transports, Sending Messages to the Server).

use http::{HeaderMap, Method};
use serde_json::{Value, json};

use super::fixture::{Client, notification, post, server, with};
use crate::transport::http::tests::client::{Answer, call, set};

#[tokio::test]
async fn notifications_and_responses_are_accepted_without_a_body() {
    let client = Client::of(server(), "2025-11-25").await;
    for message in [
        notification("notifications/initialized", json!({})),
        notification("notifications/roots/list_changed", json!({})),
        notification("notifications/unheard-of", json!({})),
        notification("notifications/cancelled", json!({ "requestId": 99 })),
        notification("notifications/cancelled", json!({})),
        json!({ "jsonrpc": "2.0", "id": 99, "result": {} }),
        json!({ "jsonrpc": "2.0", "id": "unheard-of", "error": { "code": 1, "message": "no" } }),
        json!({ "jsonrpc": "2.0", "result": {} }),
    ] {
        let answer = client.send(&message).await;
        assert_eq!((answer.status.as_u16(), answer.body.as_str()), (202, ""), "{message}");
        let gone = client.send_with(&message, set("mcp-session-id", "gone")).await;
        assert_eq!(gone.refusal(), (404, Value::Null, -32001), "{message}");
    }
}

#[tokio::test]
async fn errors_are_answers() {
    let client = Client::of(server(), "2025-11-25").await;
    for (method, code) in [("tools/unheard-of", -32601), ("server/discover", -32601)] {
        let answer = client.send(&client.request(method, json!({}))).await;
        assert_eq!((answer.status.as_u16(), answer.refusal().2), (200, code), "{method}");
    }
    let answer = client.send(&client.request("ping", json!({}))).await;
    assert_eq!(answer.json()["result"], json!({}));
}

#[tokio::test]
async fn what_is_no_message_is_400() {
    let client = Client::of(server(), "2025-11-25").await;
    for (body, code) in [("{", -32700), ("7", -32600), ("[]", -32600), ("[1]", -32600), ("", -32700)] {
        let mut request = client.post(&Value::Null);
        *request.body_mut() = body.into();
        let answer = Answer::of(client.open(request).await).await;
        assert_eq!(answer.refusal(), (400, Value::Null, code), "{body}");
    }
}

#[tokio::test]
async fn a_ping_needs_no_session_and_everything_else_does() {
    let service = server().into_service().unwrap();
    let send = async |message: Value| Answer::of(call(&service, post(&message)).await).await;
    let answer = send(json!({ "jsonrpc": "2.0", "id": "p", "method": "ping" })).await;
    assert_eq!(answer.json(), json!({ "jsonrpc": "2.0", "id": "p", "result": {} }));
    let answer = send(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" })).await;
    assert_eq!(answer.refusal(), (400, json!(1), -32602));
    let message = answer.message();
    assert!(message.contains("io.modelcontextprotocol/protocolVersion"), "{message}");
    assert!(message.contains("`initialize`"), "{message}");
    let answer = send(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": 7 })).await;
    assert_eq!(answer.message(), "Invalid params: `params` must be an object, not a number");
}

#[tokio::test]
async fn other_methods_are_405_and_name_those_that_are_taken() {
    let client = Client::of(server(), "2025-11-25").await;
    for method in [Method::PUT, Method::PATCH, Method::HEAD, Method::OPTIONS] {
        let answer = Answer::of(client.open(client.bare(method)).await).await;
        assert_eq!(answer.status, 405);
        assert_eq!(answer.header("allow"), Some("GET, POST, DELETE"));
    }
}

#[tokio::test]
async fn a_get_takes_a_stream_of_a_session() {
    let client = Client::of(server(), "2025-11-25").await;
    let without = |mut request: http::Request<_>, name: &str| {
        request.headers_mut().remove(name);
        request
    };
    for accept in ["application/json", "*/*", ""] {
        assert_eq!(client.status(with(client.bare(Method::GET), "accept", accept)).await, 406, "{accept}");
    }
    assert_eq!(client.status(without(client.bare(Method::GET), "accept")).await, 406);
    assert_eq!(client.status(without(client.bare(Method::GET), "mcp-session-id")).await, 400);
    assert_eq!(client.status(without(client.bare(Method::DELETE), "mcp-session-id")).await, 400);
    assert_eq!(client.status(with(client.bare(Method::GET), "mcp-session-id", "x")).await, 404);
    assert_eq!(client.status(client.bare(Method::GET)).await, 200);
}

#[tokio::test]
async fn pages_of_allowed_origins_can_keep_a_session() {
    let client = Client::of(server(), "2025-11-25").await;
    let from = |headers: &mut HeaderMap| {
        headers.insert("origin", "http://localhost:6274".parse().unwrap());
    };
    let answer = client.send_with(&client.add(), from).await;
    assert!(answer.header("access-control-expose-headers").unwrap().contains("mcp-session-id"));
    let mut preflight = client.bare(Method::OPTIONS);
    from(preflight.headers_mut());
    let preflight = with(preflight, "access-control-request-method", "DELETE");
    let answer = Answer::of(client.open(preflight).await).await;
    assert_eq!(answer.status, 204);
    assert_eq!(answer.header("access-control-allow-methods"), Some("GET, POST, DELETE"));
    let allowed = answer.header("access-control-allow-headers").unwrap();
    assert!(allowed.contains("mcp-session-id") && allowed.contains("last-event-id"), "{allowed}");
    let evil = with(client.bare(Method::GET), "origin", "https://evil.example.com");
    assert_eq!(client.status(evil).await, 403);
    assert_eq!(client.status(with(client.bare(Method::DELETE), "host", "evil.example.com")).await, 403);
}
