//! Over HTTP: a connection that is closed.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use mcp_runtime::{HttpBody, HttpService};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tower::ServiceExt as _;

use super::tools::Events;
use super::{call, give_up, initialize, legacy_call, with_events};

fn builder(path: &str) -> http::request::Builder {
    Request::builder()
        .uri(format!("http://localhost{path}"))
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
}

async fn send(service: &HttpService, request: http::request::Builder, body: &Value) -> Response<HttpBody> {
    let request = request.body(Full::new(Bytes::from(body.to_string()))).expect("a request");
    service.clone().oneshot(request).await.expect("an answer")
}

async fn post(service: &HttpService, tool: &str) -> Response<HttpBody> {
    let request = builder("/mcp").method("POST").header("mcp-protocol-version", mcp_tests::VERSION);
    send(service, request.header("mcp-method", "tools/call").header("mcp-name", tool), &call(tool)).await
}

/// It counts among the requests that run until it ends.
#[tokio::test]
async fn over_http_it_goes_on_and_keeps_its_place() {
    for tool in ["detached", "speaks"] {
        let (server, events) = with_events();
        let service = server.max_in_flight(1).into_service().expect("it starts");
        if tool == "speaks" {
            let mut response = post(&service, tool).await;
            assert_eq!(response.headers()["content-type"], "text/event-stream");
            response.body_mut().frame().await.expect("progress").expect("a frame");
        } else {
            give_up(&events, post(&service, tool)).await;
        }
        assert_eq!(post(&service, "alive").await.status(), 503, "{tool}");
        events.release.notify_one();
        events.wait_for("dropped").await;
        assert_eq!(events.all(), ["started", "done", "dropped"], "{tool}");
        while post(&service, "alive").await.status() == 503 {
            tokio::task::yield_now().await;
        }
    }
}

/// Sends a call over a connection of its own, which is closed once the handler has started.
async fn disconnect(address: SocketAddr, events: &Events) {
    let body = call("detached").to_string();
    let version = mcp_tests::VERSION;
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\naccept: application/json, \
         text/event-stream\r\nmcp-protocol-version: {version}\r\nmcp-method: tools/call\r\nmcp-name: \
         detached\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("it listens");
    stream.write_all((head + &body).as_bytes()).await.expect("it reads");
    events.wait_for("started").await;
}

/// Starts a server, detaches a call from its client, and stops the server; what it does at the end.
async fn shut_down(grace: Duration, at_the_end: impl FnOnce(&Events)) -> Vec<&'static str> {
    let (server, events) = with_events();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving =
        tokio::spawn(server.shutdown_grace(grace).serve_listener(listener, async { drop(stopped.await) }));
    disconnect(address, &events).await;
    stop.send(()).expect("it serves");
    at_the_end(&events);
    serving.await.expect("no panic").expect("it served");
    events.wait_for("dropped").await;
    events.all()
}

#[tokio::test]
async fn a_server_that_stops_waits_for_it_for_the_grace() {
    let finished = shut_down(Duration::from_secs(60), |events| events.release.notify_one()).await;
    assert_eq!(finished, ["started", "done", "dropped"]);
    assert_eq!(shut_down(Duration::from_millis(20), |_| {}).await, ["started", "dropped"]);
}

/// With HTTP+SSE a session is its connection (2024-11-05, basic/transports): its end is a disconnect.
#[tokio::test]
async fn a_session_that_ends_with_its_connection_leaves_it_behind() {
    for (tool, expected) in [
        ("attended", &["started", "dropped"][..]),
        ("detached", &["started", "done", "dropped"]),
        ("asks", &["started", "done", "dropped", "refused"]),
    ] {
        let (server, events) = with_events();
        let service = server.sse_endpoint("/sse").into_service().expect("it starts");
        let mut line = send(&service, builder("/sse").method("GET"), &json!({})).await;
        let frame = line.body_mut().frame().await.expect("an address").expect("a frame");
        let text = String::from_utf8(frame.into_data().expect("data").to_vec()).expect("text");
        let path = text.lines().find_map(|line| line.strip_prefix("data: ")).expect("a path").to_owned();
        for message in [initialize(&json!({ "roots": {} })), legacy_call(tool)] {
            let response = send(&service, builder(&format!("/sse{path}")).method("POST"), &message).await;
            assert_eq!(response.status(), 202);
        }
        events.wait_for("started").await;
        drop(line);
        if tool != "attended" {
            events.release.notify_one();
        }
        events.wait_for(expected.last().expect("an event")).await;
        assert_eq!(events.all(), expected, "{tool}");
    }
}
