//! basic/patterns/cancellation: calls that go on when their client is gone, because the handler said so.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use mcp_runtime::testing::Client;
use mcp_runtime::{HttpBody, HttpService, Server};
use mcp_tests::{request, server};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tools::Events;
use tower::ServiceExt as _;

mod tools {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use mcp_runtime::prelude::*;
    use tokio::sync::Notify;

    /// What happened, with a bell for it, and what the calls wait for.
    #[derive(Default)]
    pub(crate) struct Events {
        happened: Mutex<Vec<&'static str>>,
        bell: Notify,
        pub(crate) release: Notify,
    }

    impl Events {
        pub(crate) fn note(&self, event: &'static str) {
            self.happened.lock().expect("no panic").push(event);
            self.bell.notify_one();
        }

        pub(crate) fn all(&self) -> Vec<&'static str> {
            self.happened.lock().expect("no panic").clone()
        }

        pub(crate) async fn wait_for(&self, event: &str) {
            let happens = async {
                while !self.all().contains(&event) {
                    self.bell.notified().await;
                }
            };
            tokio::time::timeout(Duration::from_secs(120), happens).await.expect("it happens in time");
        }
    }

    struct OnDrop(Arc<Events>);

    impl Drop for OnDrop {
        fn drop(&mut self) {
            self.0.note("dropped");
        }
    }

    async fn work(events: &Arc<Events>) {
        let _on_drop = OnDrop(Arc::clone(events));
        events.note("started");
        events.release.notified().await;
        events.note("done");
    }

    #[tool(timeout = "60s")]
    async fn detached(ctx: &Context, events: State<Arc<Events>>) -> &'static str {
        ctx.detach();
        work(&events).await;
        if ctx.is_cancelled() { "cancelled" } else { "done" }
    }

    #[tool]
    async fn attended(events: State<Arc<Events>>) {
        work(&events).await;
    }

    #[tool]
    async fn speaks(ctx: &Context, events: State<Arc<Events>>) {
        ctx.detach();
        ctx.progress(1.0, None, "");
        work(&events).await;
        ctx.progress(2.0, None, "");
    }

    #[tool(blocking)]
    fn on_the_pool(ctx: &Context, events: State<Arc<Events>>) {
        ctx.detach();
        events.note("started");
        std::thread::sleep(Duration::from_millis(50));
        events.note(if ctx.is_cancelled() { "cancelled" } else { "done" });
    }

    #[tool]
    async fn asks(ctx: &Context, events: State<Arc<Events>>) -> Result<()> {
        ctx.detach();
        work(&events).await;
        #[allow(deprecated, reason = "it is the shortest question")]
        let roots = ctx.roots().await;
        events.note(if roots.is_err() { "refused" } else { "answered" });
        Ok(())
    }

    #[tool(inline)]
    fn alive() {}
}

fn with_events() -> (Server, Arc<Events>) {
    let events = Arc::new(Events::default());
    (server("detaching::tools").state(Arc::clone(&events)), events)
}

/// Waits until the handler has started, and gives the request up.
async fn give_up<T>(events: &Events, request: impl Future<Output = T>) {
    tokio::select! {
        biased;
        _ = request => panic!("it was answered"),
        () = events.wait_for("started") => {}
    }
}

fn call(tool: &str) -> Value {
    request(1, "tools/call", json!({ "name": tool, "_meta": { "progressToken": "t" } }))
}

#[tokio::test]
async fn only_what_was_detached_goes_on() {
    let (server, events) = with_events();
    let client = Client::new(server).expect("it starts");
    give_up(&events, client.call("attended", json!({})).into_future()).await;
    assert_eq!(events.all(), ["started", "dropped"]);

    let (server, events) = with_events();
    let client = Client::new(server).expect("it starts");
    give_up(&events, client.call("detached", json!({})).into_future()).await;
    events.release.notify_one();
    events.wait_for("dropped").await;
    assert_eq!(events.all(), ["started", "done", "dropped"]);
}

/// A client that stays is answered as ever.
#[tokio::test]
async fn a_call_whose_client_stays_is_answered() {
    let (server, events) = with_events();
    let client = Client::new(server).expect("it starts");
    events.release.notify_one();
    assert_eq!(client.call("detached", json!({})).await.expect("an answer").text(), "done");
}

#[tokio::test]
async fn a_function_on_the_pool_is_not_told() {
    let (server, events) = with_events();
    let client = Client::new(server).expect("it starts");
    give_up(&events, client.call("on_the_pool", json!({})).into_future()).await;
    events.wait_for("done").await;
}

#[tokio::test(start_paused = true)]
async fn its_timeout_bounds_it() {
    let (server, events) = with_events();
    let client = Client::new(server).expect("it starts");
    let started = tokio::time::Instant::now();
    give_up(&events, client.call("detached", json!({})).into_future()).await;
    events.wait_for("dropped").await;
    assert_eq!(events.all(), ["started", "dropped"]);
    assert_eq!(started.elapsed(), Duration::from_secs(60));
}

/// The next round would be begun by a client that is gone.
#[tokio::test]
async fn a_question_ends_it() {
    let (server, events) = with_events();
    let client = Client::new(server).expect("it starts").capabilities(json!({ "roots": {} }));
    give_up(&events, client.call("asks", json!({})).into_future()).await;
    events.release.notify_one();
    events.wait_for("dropped").await;
    assert_eq!(events.all(), ["started", "done", "dropped"]);
}

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
async fn disconnect(address: std::net::SocketAddr, events: &Events) {
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

fn initialize(capabilities: &Value) -> Value {
    let client = json!({ "name": "ExampleClient", "version": "1.0.0" });
    let params =
        json!({ "protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": client });
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })
}

fn legacy_call(tool: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool } })
}

fn cancel() -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } })
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

/// A client on a pair of streams.
struct Wire {
    input: tokio::io::DuplexStream,
    output: Option<tokio::io::DuplexStream>,
    serving: tokio::task::JoinHandle<mcp_runtime::Result<()>>,
}

impl Wire {
    fn new(server: Server) -> Self {
        let (input, reader) = tokio::io::duplex(64 * 1024);
        let (output, writer) = tokio::io::duplex(64 * 1024);
        let serving = tokio::spawn(server.serve_io(reader, writer));
        Self { input, output: Some(output), serving }
    }

    async fn send(&mut self, message: &Value) {
        self.input.write_all(format!("{message}\n").as_bytes()).await.expect("the server reads");
    }
}

/// The messages that start a call, of a client of each era.
fn eras(tool: &str) -> [Vec<Value>; 2] {
    [vec![call(tool)], vec![initialize(&json!({})), legacy_call(tool)]]
}

/// "stdio: The client MUST send a `notifications/cancelled`" to cancel, and that is heeded.
#[tokio::test]
async fn an_explicit_cancellation_cancels_it() {
    for messages in eras("detached") {
        let (server, events) = with_events();
        let mut wire = Wire::new(server);
        for message in messages {
            wire.send(&message).await;
        }
        events.wait_for("started").await;
        wire.send(&cancel()).await;
        events.wait_for("dropped").await;
        assert_eq!(events.all(), ["started", "dropped"]);
    }
}

/// A client on a pair of streams that does not read any more is gone.
#[tokio::test]
async fn a_client_that_is_gone_is_waited_out_for_the_grace() {
    for (tool, expected) in
        [("attended", &["started", "dropped"][..]), ("detached", &["started", "done", "dropped"])]
    {
        for messages in eras(tool) {
            let (server, events) = with_events();
            let mut wire = Wire::new(server.shutdown_grace(Duration::from_secs(60)));
            for message in messages {
                wire.send(&message).await;
            }
            events.wait_for("started").await;
            wire.output = None;
            // The next answer finds nobody.
            wire.send(&request(2, "tools/list", json!({}))).await;
            if tool == "detached" {
                // Long enough for the other calls to be cancelled.
                tokio::task::yield_now().await;
                assert!(!wire.serving.is_finished());
                events.release.notify_one();
            }
            wire.serving.await.expect("no panic").expect("it served");
            events.wait_for("dropped").await;
            assert_eq!(events.all(), expected, "{tool}");
        }
    }
}

/// What is in flight when the input ends is answered within the grace, and cancelled after it.
#[tokio::test(start_paused = true)]
async fn the_end_of_the_input_leaves_it_the_grace() {
    let (server, events) = with_events();
    let mut wire = Wire::new(server.shutdown_grace(Duration::from_secs(5)));
    wire.send(&call("detached")).await;
    events.wait_for("started").await;
    let started = tokio::time::Instant::now();
    drop(wire.input);
    wire.serving.await.expect("no panic").expect("it served");
    assert_eq!(started.elapsed(), Duration::from_secs(5));
    events.wait_for("dropped").await;
    assert_eq!(read(wire.output.expect("it is open")).await, "");
}

async fn read(mut output: impl AsyncRead + Unpin) -> String {
    let mut text = String::new();
    output.read_to_string(&mut text).await.expect("text");
    text
}
