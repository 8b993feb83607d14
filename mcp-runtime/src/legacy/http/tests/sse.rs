//! HTTP with SSE (2024-11-05, basic/transports).

use axum::Router;
use bytes::Bytes;
use http::{Method, Request};
use http_body_util::Full;
use hyper::body::Incoming;
use serde_json::{Value, json};
use tower_service::Service as _;

use super::fixture::{Gate, accepting, cancelled, initialize, next, notification, post, server, with};
use crate::Server;
use crate::transport::http::HttpBody;
use crate::transport::http::tests::client::{Answer, Served, add, call, next_piece, post as modern, soon};

fn at(mut request: Request<Full<Bytes>>, method: Method, path: &str) -> Request<Full<Bytes>> {
    *request.method_mut() = method;
    *request.uri_mut() = path.parse().unwrap();
    request
}

fn tool(id: i64, name: &str, arguments: Value) -> Value {
    let params = json!({ "name": name, "arguments": arguments, "_meta": { "progressToken": 1 } });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

/// A session of one server of our own.
struct Session {
    served: Served,
    endpoint: String,
    body: Incoming,
}

impl Session {
    async fn open(builder: Server) -> Self {
        let served = Served::new(builder.sse_endpoint("sse")).await;
        let response = served.open(at(post(&Value::Null), Method::GET, "/sse")).await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let mut body = response.into_body();
        let first = soon(next_piece(&mut body)).await.unwrap();
        let endpoint = first.strip_prefix("event: endpoint\ndata: ").expect("that comes first");
        let endpoint = endpoint.strip_suffix("\n\n").unwrap().to_owned();
        assert!(endpoint.starts_with("/sse?sessionId="), "{endpoint}");
        Self { served, endpoint, body }
    }

    async fn begin(builder: Server, revision: &str) -> Self {
        let mut session = Self::open(builder).await;
        session.send(&initialize(revision)).await;
        assert_eq!(session.next().await["result"]["protocolVersion"], revision);
        session.send(&notification("notifications/initialized", json!({}))).await;
        session
    }

    async fn send(&self, message: &Value) {
        let answer = self.served.send(at(post(message), Method::POST, &self.endpoint)).await;
        assert_eq!((answer.status.as_u16(), answer.body.as_str()), (202, ""));
    }

    async fn next(&mut self) -> Value {
        let event = next(&mut self.body).await.expect("a message");
        assert_eq!(event.id, None);
        event.data
    }
}

#[tokio::test]
async fn everything_arrives_on_the_stream() {
    let mut session = Session::begin(server(), "2024-11-05").await;
    session.send(&tool(2, "http_add", json!({ "a": 1, "b": 2 }))).await;
    assert_eq!(session.next().await["result"]["content"][0]["text"], "3");
    session.send(&tool(3, "http_say", json!({}))).await;
    assert_eq!(session.next().await["method"], "notifications/progress");
    assert_eq!(session.next().await["method"], "notifications/message");
    assert_eq!(session.next().await["id"], 3);
    session.send(&tool(4, "lh_roots", json!({}))).await;
    let question = session.next().await;
    assert_eq!(question["method"], "roots/list");
    let roots = json!({ "roots": [{ "uri": "file:///a" }] });
    session.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": roots })).await;
    assert_eq!(session.next().await["result"]["content"][0]["text"], "file:///a");
    session.send(&tool(5, "lh_change", json!({}))).await;
    let (one, two) = (session.next().await, session.next().await);
    let (told, answered) = if one["id"] == 5 { (&two, &one) } else { (&one, &two) };
    assert_eq!((&told["method"], &answered["id"]), (&json!("notifications/tools/list_changed"), &json!(5)));
}

#[tokio::test]
async fn newer_revisions_are_spoken_there_as_well() {
    let mut session = Session::begin(server(), "2025-11-25").await;
    // There is nothing to come back to, so nobody is let go.
    session.send(&tool(2, "lh_release", json!({}))).await;
    let question = session.next().await;
    session.send(&accepting(&question, "here")).await;
    assert_eq!(session.next().await["result"]["content"][0]["text"], "here");
    let mut session = Session::begin(server(), "2025-03-26").await;
    let ping = json!({ "jsonrpc": "2.0", "id": "p", "method": "ping" });
    session.send(&json!([ping, tool(3, "http_add", json!({ "a": 1, "b": 1 }))])).await;
    assert_eq!(session.next().await["id"], "p");
    assert_eq!(session.next().await["id"], 3);
}

#[tokio::test]
async fn calls_are_cancelled_one_by_one_and_all_with_the_stream() {
    let mut session = Session::begin(server(), "2024-11-05").await;
    let (mut one, mut two) = (Gate::new("lh sse one"), Gate::new("lh sse two"));
    session.send(&tool(2, "http_wait", json!({ "gate": one.name }))).await;
    session.send(&tool(3, "http_wait", json!({ "gate": two.name }))).await;
    one.started().await;
    two.started().await;
    session.send(&tool(3, "http_add", json!({}))).await;
    assert_eq!(session.next().await["error"]["code"], -32600);
    session.send(&cancelled(&json!(2))).await;
    one.ended().await;
    let Session { served, endpoint, body } = session;
    drop(body);
    two.ended().await;
    let ping = json!({ "jsonrpc": "2.0", "id": 9, "method": "ping" });
    let answer = served.send(at(post(&ping), Method::POST, &endpoint)).await;
    assert_eq!(answer.refusal(), (404, Value::Null, -32001));
}

#[tokio::test]
async fn a_session_begins_with_initialize_and_once() {
    let mut session = Session::open(server()).await;
    session.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })).await;
    assert_eq!(session.next().await["result"], json!({}));
    session.send(&tool(2, "http_add", json!({}))).await;
    assert_eq!(session.next().await["error"]["code"], -32600);
    session.send(&json!({ "jsonrpc": "2.0", "id": 3, "method": "initialize", "params": {} })).await;
    assert_eq!(session.next().await["error"]["code"], -32602);
    session.send(&initialize("2024-11-05")).await;
    assert_eq!(session.next().await["result"]["protocolVersion"], "2024-11-05");
    session.send(&initialize("2024-11-05")).await;
    assert_eq!(session.next().await["error"]["code"], -32600);
}

#[tokio::test]
async fn statuses() {
    let session = Session::begin(server(), "2024-11-05").await;
    let send = async |request, method, path: &str| session.served.send(at(request, method, path)).await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    for (path, status) in [
        ("/sse", 400),
        ("/sse?sessionid=1", 400),
        ("/sse?sessionId=", 404),
        ("/sse?sessionId=%00", 404),
        ("/sse?sessionId=00000000000000000000000000000000", 404),
        ("/elsewhere", 404),
    ] {
        assert_eq!(send(post(&ping), Method::POST, path).await.status, status, "{path}");
    }
    let endpoint = &*session.endpoint;
    let answer = send(post(&ping), Method::DELETE, endpoint).await;
    assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, Some("GET, POST")));
    assert_eq!(
        send(with(post(&ping), "content-type", "text/plain"), Method::POST, endpoint).await.status,
        415
    );
    assert_eq!(send(with(post(&ping), "host", "evil.com"), Method::POST, endpoint).await.status, 403);
    assert_eq!(send(with(post(&ping), "origin", "http://evil.com"), Method::GET, "/sse").await.status, 403);
    let answer = send(post(&json!({ "id": 1 })), Method::POST, endpoint).await;
    assert_eq!(answer.refusal(), (400, json!(1), -32600));
    // The sessions of one transport are none of the other.
    let id = endpoint.split_once('=').unwrap().1;
    let answer = send(with(post(&ping), "mcp-session-id", id), Method::POST, "/mcp").await;
    assert_eq!(answer.refusal(), (404, Value::Null, -32001));
    let begun = send(post(&initialize("2025-06-18")), Method::POST, "/mcp").await;
    let other = format!("/sse?sessionId={}", begun.header("mcp-session-id").unwrap());
    assert_eq!(send(post(&ping), Method::POST, &other).await.status, 404);
    assert_eq!(send(modern(&add()), Method::POST, "/mcp").await.text(), "3");
}

#[tokio::test]
async fn sessions_have_the_same_limit() {
    let session = Session::begin(server().max_sessions(1), "2024-11-05").await;
    let open = || at(post(&Value::Null), Method::GET, "/sse");
    assert_eq!(session.served.send(open()).await.status, 503);
    assert_eq!(session.served.send(post(&initialize("2025-11-25"))).await.status, 503);
    let Session { served, body, .. } = session;
    drop(body);
    let free = async {
        while served.open(open()).await.status() == 503 {
            tokio::task::yield_now().await;
        }
    };
    soon(free).await;
}

#[tokio::test]
async fn it_is_off_by_default_and_never_in_the_way_of_the_endpoint() {
    let served = Served::new(server()).await;
    assert_eq!(served.send(at(post(&Value::Null), Method::GET, "/sse")).await.status, 404);
    let error = server().sse_endpoint("/mcp/").into_service().err().unwrap();
    assert!(error.to_string().contains("sse_endpoint"), "{error}");
}

#[tokio::test]
async fn a_mounted_one_leaves_the_path_to_the_client() {
    let service = server().sse_endpoint("/old/sse").into_service().unwrap();
    let app = Router::new().route_service("/mcp", service.clone()).route_service("/old/sse", service);
    let send = async |request| {
        let Ok(response) = app.clone().call(request).await;
        response
    };
    let mut body = send(at(post(&Value::Null), Method::GET, "/old/sse")).await.into_body();
    let first = soon(next_piece(&mut body)).await.unwrap();
    let query = first.strip_prefix("event: endpoint\ndata: ").unwrap().trim();
    assert!(query.starts_with("?sessionId="), "{query}");
    let path = format!("/old/sse{query}");
    assert_eq!(send(at(post(&initialize("2024-11-05")), Method::POST, &path)).await.status(), 202);
    assert_eq!(next(&mut body).await.unwrap().data["id"], 1);
    assert_eq!(Answer::of(send(modern(&add())).await).await.text(), "3");
}

/// Who never reads is not served without end.
#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_is_given_up() {
    let service = server().sse_endpoint("/sse").into_service().unwrap();
    let mut body: HttpBody = call(&service, at(post(&Value::Null), Method::GET, "/sse")).await.into_body();
    let first = next_piece(&mut body).await.unwrap();
    let path = first.strip_prefix("event: endpoint\ndata: ").unwrap().trim();
    let path = format!("/sse{path}");
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let mut taken = 0;
    while call(&service, at(post(&ping), Method::POST, &path)).await.status() == 202 {
        taken += 1;
    }
    assert_eq!(taken, 128);
}
