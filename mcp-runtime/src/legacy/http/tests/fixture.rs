//! Tools that ask and let go, and a client that remembers its session.

use std::sync::atomic::{AtomicI64, Ordering};

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response};
use http_body::Body;
use http_body_util::Full;
use serde_json::{Value, json};

use crate::Server;
use crate::transport::http::tests::client::{Answer, call, next_piece, soon};
pub(super) use crate::transport::http::tests::fixture::Gate;
use crate::transport::http::{HttpBody, HttpService};

/// A server with the entries of the transport's tests, and of this file.
pub(super) fn server() -> Server {
    crate::transport::http::tests::fixture::server().only(concat!(module_path!(), "::tools"))
}

mod tools {
    use std::time::Duration;

    use crate::prelude::*;
    use crate::{Change, InputRequired, Sample};

    #[derive(Elicit)]
    struct Word {
        word: String,
    }

    #[tool]
    async fn lh_elicit(ctx: &Context) -> Result<String> {
        let answer = ctx.elicit::<Word>("A word?").await?;
        Ok(answer.accepted().map_or_else(|| "none".to_owned(), |answer| answer.word))
    }

    #[tool]
    fn lh_by_hand(ctx: &Context) -> Result<String> {
        let mut words = Vec::new();
        for key in ["a", "b"] {
            match ctx.answer::<Word>(key)? {
                Some(answer) => words.extend(answer.accepted().map(|answer| answer.word)),
                None => return Err(InputRequired::new().elicit::<Word>(key, key).into()),
            }
        }
        Ok(words.join(" "))
    }

    #[tool]
    #[allow(deprecated, reason = "clients of older revisions are asked all the same")]
    async fn lh_sample(ctx: &Context) -> Result<String> {
        let answer = ctx.sample(Sample::new("Capital of France?", 10)).await?;
        Ok(answer.model)
    }

    #[tool]
    #[allow(deprecated, reason = "clients of older revisions are asked all the same")]
    async fn lh_roots(ctx: &Context) -> Result<String> {
        let roots = ctx.roots().await?;
        Ok(roots.into_iter().map(|root| root.uri).collect::<Vec<_>>().join(" "))
    }

    /// Lets the client go, and asks it when it is back.
    #[tool]
    async fn lh_release(ctx: &Context) -> Result<String> {
        ctx.close_stream(Duration::from_millis(1500));
        let answer = ctx.elicit::<Word>("A word?").await?;
        Ok(answer.accepted().map_or_else(|| "none".to_owned(), |answer| answer.word))
    }

    /// Says more than anybody keeps, a little at a time.
    #[tool]
    async fn lh_chatter(lines: u32, ctx: &Context) -> String {
        for line in 0..lines {
            ctx.log(crate::LogLevel::Info, line);
            tokio::task::yield_now().await;
        }
        "said".to_owned()
    }

    #[tool]
    fn lh_change(ctx: &Context) {
        ctx.core().hub().publish(Change::Tools);
    }

    #[tool]
    fn lh_update(uri: &str, ctx: &Context) {
        ctx.core().hub().publish(Change::Resource(uri.into()));
    }
}

/// A client of one session, in the same process.
pub(super) struct Client {
    pub(super) service: HttpService,
    pub(super) session: String,
    next_id: AtomicI64,
}

/// An event as it was written.
#[derive(Debug, PartialEq)]
pub(super) struct Event {
    pub(super) id: Option<String>,
    /// Null for one that only primes, or that is a comment.
    pub(super) data: Value,
    pub(super) retry: Option<u64>,
}

impl Event {
    pub(super) fn parse(text: &str) -> Self {
        let mut event = Self { id: None, data: Value::Null, retry: None };
        let block = text.strip_suffix("\n\n").unwrap_or_else(|| panic!("not whole: {text:?}"));
        for line in block.lines() {
            match line.split_once(':') {
                Some(("id", id)) => event.id = Some(id.trim().to_owned()),
                Some(("data", data)) if data.trim().is_empty() => {}
                Some(("data", data)) => event.data = serde_json::from_str(data).unwrap(),
                Some(("retry", retry)) => event.retry = retry.trim().parse().ok(),
                Some(("event", name)) => assert_eq!(name, " message"),
                Some(("", _)) => {}
                _ => panic!("{line:?}"),
            }
        }
        event
    }

    pub(super) fn all(text: &str) -> Vec<Self> {
        text.split_inclusive("\n\n").map(Self::parse).collect()
    }

    pub(super) fn id(&self) -> &str {
        self.id.as_deref().expect("an event with an id")
    }

    pub(super) fn text(&self) -> &str {
        self.data["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{self:?}"))
    }
}

/// The next event that says something.
pub(super) async fn next<B>(body: &mut B) -> Option<Event>
where
    B: Body<Data = Bytes, Error: std::fmt::Debug> + Unpin,
{
    loop {
        match soon(next_piece(body)).await {
            Some(comment) if comment == ":\n\n" => {}
            piece => return piece.map(|piece| Event::parse(&piece)),
        }
    }
}

/// The same, of a stream that has not ended.
pub(super) async fn event<B>(body: &mut B) -> Event
where
    B: Body<Data = Bytes, Error: std::fmt::Debug> + Unpin,
{
    next(body).await.expect("an event")
}

pub(super) fn initialize(revision: &str) -> Value {
    json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": revision,
            "capabilities": { "elicitation": {}, "sampling": {}, "roots": {} },
            "clientInfo": { "name": "test", "version": "1.0.0" },
        },
    })
}

/// A POST of an older revision.
pub(super) fn post(message: &Value) -> Request<Full<Bytes>> {
    Request::post("/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .body(Full::from(message.to_string()))
        .unwrap()
}

pub(super) fn with(
    mut request: Request<Full<Bytes>>,
    name: &'static str,
    value: &str,
) -> Request<Full<Bytes>> {
    request.headers_mut().insert(name, value.parse().unwrap());
    request
}

pub(super) fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

pub(super) fn cancelled(id: &Value) -> Value {
    notification("notifications/cancelled", json!({ "requestId": id }))
}

/// The answer to a question, accepting with a word.
pub(super) fn accepting(question: &Value, word: &str) -> Value {
    json!({
        "jsonrpc": "2.0", "id": question["id"],
        "result": { "action": "accept", "content": { "word": word } },
    })
}

impl Client {
    pub(super) async fn new(service: &HttpService, revision: &str) -> Self {
        let answer = Answer::of(call(service, post(&initialize(revision))).await).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.json()["result"]["protocolVersion"], revision);
        let session = answer.header("mcp-session-id").expect("a session").to_owned();
        let client = Self { service: service.clone(), session, next_id: AtomicI64::new(2) };
        let answer = client.send(&notification("notifications/initialized", json!({}))).await;
        assert_eq!((answer.status.as_u16(), answer.body.as_str()), (202, ""));
        client
    }

    /// The client of a server of its own.
    pub(super) async fn of(server: Server, revision: &str) -> Self {
        Self::new(&server.into_service().unwrap(), revision).await
    }

    pub(super) fn request(&self, method: &str, params: Value) -> Value {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    }

    pub(super) fn tool(&self, name: &str, arguments: Value) -> Value {
        let params = json!({ "name": name, "arguments": arguments, "_meta": { "progressToken": "token" } });
        self.request("tools/call", params)
    }

    pub(super) fn add(&self) -> Value {
        self.tool("http_add", json!({ "a": 1, "b": 2 }))
    }

    pub(super) fn post(&self, message: &Value) -> Request<Full<Bytes>> {
        with(post(message), "mcp-session-id", &self.session)
    }

    pub(super) fn bare(&self, method: Method) -> Request<Full<Bytes>> {
        let mut request = with(post(&Value::Null), "mcp-session-id", &self.session);
        *request.method_mut() = method;
        *request.body_mut() = Full::default();
        request.headers_mut().remove("content-type");
        request.headers_mut().insert("accept", "text/event-stream".parse().unwrap());
        request
    }

    pub(super) async fn open(&self, request: Request<Full<Bytes>>) -> Response<HttpBody> {
        soon(call(&self.service, request)).await
    }

    /// The body of a stream.
    pub(super) async fn stream(&self, request: Request<Full<Bytes>>) -> HttpBody {
        let response = self.open(request).await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        response.into_body()
    }

    pub(super) async fn send(&self, message: &Value) -> Answer {
        Answer::of(self.open(self.post(message)).await).await
    }

    pub(super) async fn send_with(&self, message: &Value, change: impl FnOnce(&mut HeaderMap)) -> Answer {
        let mut request = self.post(message);
        change(request.headers_mut());
        Answer::of(self.open(request).await).await
    }

    /// The answer to a request without a body.
    pub(super) async fn status(&self, request: Request<Full<Bytes>>) -> u16 {
        self.open(request).await.status().as_u16()
    }

    pub(super) async fn resume(&self, last_event: &str) -> Response<HttpBody> {
        self.open(with(self.bare(Method::GET), "last-event-id", last_event)).await
    }

    pub(super) async fn delete(&self) {
        assert_eq!(self.status(self.bare(Method::DELETE)).await, 204);
    }

    /// A call that waits at a gate, which the client knows to run.
    pub(super) async fn waiting(&self, gate: &mut Gate) -> (Value, HttpBody) {
        let request = self.tool("http_progress", json!({ "gate": gate.name }));
        let body = self.stream(self.post(&request)).await;
        gate.started().await;
        (request["id"].clone(), body)
    }
}
