//! Requests and answers as a client has them.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Request, Response, StatusCode};
use http_body::Body;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tower_service::Service as _;

use crate::Server;
use crate::transport::http::{HttpBody, HttpService};

/// What an event that is on its way takes at the very most.
pub(crate) async fn soon<T>(event: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), event).await.expect("it happens in time")
}

/// A server of our own on a port of its own.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) stop: Option<oneshot::Sender<()>>,
    pub(crate) task: JoinHandle<()>,
}

impl Served {
    pub(crate) async fn new(server: Server) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(async move {
            server.serve_listener(listener, async { drop(stopped.await) }).await.unwrap();
        });
        Self { address, stop: Some(stop), task }
    }

    /// One request on a connection of its own.
    pub(crate) async fn send(&self, request: Request<Full<Bytes>>) -> Answer {
        Answer::of(self.open(request).await).await
    }

    /// The same, with the body of the answer still to come.
    pub(crate) async fn open(&self, request: Request<Full<Bytes>>) -> Response<Incoming> {
        open(self.address, request).await
    }

    /// The same, without waiting for the head of the answer.
    pub(crate) fn open_later(&self, request: Request<Full<Bytes>>) -> JoinHandle<Response<Incoming>> {
        let address = self.address;
        tokio::spawn(async move { open(address, request).await })
    }

    /// What the server writes until it closes the connection.
    pub(crate) async fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.stream(bytes).await;
        let mut answer = Vec::new();
        soon(stream.read_to_end(&mut answer)).await.unwrap();
        String::from_utf8(answer).unwrap()
    }

    pub(crate) async fn stream(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        stream
    }

    /// Asks the server to stop; the task ends when it has.
    pub(crate) fn stop(&mut self) -> &mut JoinHandle<()> {
        self.stop.take().expect("stopped once").send(()).unwrap();
        &mut self.task
    }
}

async fn open(address: SocketAddr, request: Request<Full<Bytes>>) -> Response<Incoming> {
    let stream = TcpStream::connect(address).await.unwrap();
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    soon(sender.send_request(request)).await.unwrap()
}

/// One request without a socket, so that time can stand still.
pub(crate) async fn call<B>(service: &HttpService, request: Request<B>) -> Response<HttpBody>
where
    B: Body<Data = Bytes, Error = Infallible> + Send + 'static,
{
    let Ok(response) = service.clone().call(request).await;
    response
}

/// An answer that has arrived.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) async fn of<B>(response: Response<B>) -> Self
    where
        B: Body<Data = Bytes, Error: std::fmt::Debug>,
    {
        let (parts, body) = response.into_parts();
        let body = soon(body.collect()).await.unwrap().to_bytes();
        let body = String::from_utf8(body.to_vec()).unwrap();
        Self { status: parts.status, headers: parts.headers, body }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        serde_json::from_str(&self.body).unwrap()
    }

    /// The data of every event, and `:` for every comment.
    pub(crate) fn events(&self) -> Vec<Value> {
        assert_eq!(self.header("content-type"), Some("text/event-stream"), "{self:?}");
        let events = self.body.strip_suffix("\n\n").expect("the last event is whole").split("\n\n");
        let data = |event: &str| match event {
            ":" => json!(":"),
            event => {
                let data = event.strip_prefix("event: message\ndata: ").expect(event);
                serde_json::from_str(data).unwrap()
            }
        };
        events.map(data).collect()
    }

    /// Status, JSON-RPC id and error code.
    pub(crate) fn refusal(&self) -> (u16, Value, i64) {
        let json = self.json();
        (self.status.as_u16(), json["id"].clone(), json["error"]["code"].as_i64().unwrap())
    }

    pub(crate) fn message(&self) -> String {
        self.json()["error"]["message"].as_str().unwrap().to_owned()
    }

    pub(crate) fn text(&self) -> String {
        let json = self.json();
        json["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{json}")).to_owned()
    }
}

/// The next piece of an answer that is still coming.
pub(crate) async fn next_piece<B>(body: &mut B) -> Option<String>
where
    B: Body<Data = Bytes, Error: std::fmt::Debug> + Unpin,
{
    let frame = body.frame().await?.unwrap();
    Some(String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap())
}

/// A message of the current revision.
pub(crate) fn message(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1.0.0" },
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/logLevel": "info",
        "progressToken": "token",
    });
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })
}

/// A POST as the specification wants it, but for what `change` does to it.
pub(crate) fn post_with(message: &Value, change: impl FnOnce(&mut HeaderMap)) -> Request<Full<Bytes>> {
    let method = message["method"].as_str().unwrap_or_default();
    let mut request = Request::post("/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method);
    if let Some(name) = message["params"]["name"].as_str().or(message["params"]["uri"].as_str()) {
        request = request.header("mcp-name", name);
    }
    let mut request = request.body(Full::from(message.to_string())).unwrap();
    change(request.headers_mut());
    request
}

pub(crate) fn post(message: &Value) -> Request<Full<Bytes>> {
    post_with(message, |_| {})
}

/// A POST as it is written on the wire.
pub(super) fn written(body: &Value, change: impl FnOnce(&mut HeaderMap)) -> String {
    let headers = post_with(body, change).into_parts().0.headers;
    let body = body.to_string();
    let lines: Vec<_> =
        headers.iter().map(|(name, value)| format!("{name}: {}\r\n", value.to_str().unwrap())).collect();
    let length = body.len();
    format!("POST /mcp HTTP/1.1\r\ncontent-length: {length}\r\n{}\r\n{body}", lines.concat())
}

/// A `tools/call`.
pub(crate) fn tool(name: &str, arguments: &Value) -> Value {
    message("tools/call", json!({ "name": name, "arguments": arguments }))
}

/// A call whose answer is `3`.
pub(crate) fn add() -> Value {
    tool("http_add", &json!({ "a": 1, "b": 2 }))
}

pub(crate) fn set(name: &'static str, value: &'static str) -> impl FnOnce(&mut HeaderMap) {
    move |headers| {
        headers.insert(name, value.parse().unwrap());
    }
}

pub(crate) fn unset(name: &'static str) -> impl FnOnce(&mut HeaderMap) {
    move |headers| {
        headers.remove(name);
    }
}
