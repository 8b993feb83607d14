//! A client in the same process, for the tests of a server's author.
//!
//! It goes through the same dispatcher as every transport: messages in, messages out, as bytes.
//!
//! ```standalone_crate
//! use mcp_runtime::prelude::*;
//! use mcp_runtime::testing::Client;
//! use serde_json::json;
//!
//! /// Add two numbers.
//! #[tool]
//! fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<()> {
//! let client = Client::new(Server::new())?;
//! assert_eq!(client.call("add", json!({"a": 1, "b": 2})).await?.text(), "3");
//! # Ok(())
//! # }
//! ```

mod changes;

pub use changes::Changes;

use std::collections::VecDeque;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::context::{Context, Outgoing};
use crate::dispatch::{Attended, Event, Exchange, Reply, admit};
use crate::message::Message;
use crate::protocol::{Content, Error, LogLevel, MODERN_VERSIONS, PromptResult, ResourceContents};
use crate::registry::StartError;
use crate::server::{Core, Server};

/// A client in the same process.
pub struct Client {
    core: Arc<Core>,
    next_id: AtomicI64,
    capabilities: Value,
}

impl Client {
    /// Builds the server and connects to it.
    ///
    /// # Errors
    ///
    /// Every fault that keeps the server from starting.
    pub fn new(server: Server) -> Result<Self, StartError> {
        Ok(Self { core: server.build()?, next_id: AtomicI64::new(1), capabilities: json!({}) })
    }

    /// Declares capabilities, as `{"elicitation": {}}`.
    pub fn capabilities(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Calls a tool.
    pub fn call(&self, name: &str, arguments: Value) -> Request<'_, CallResult> {
        self.prepare("tools/call", json!({ "name": name, "arguments": arguments }))
    }

    /// Reads a resource.
    pub fn read(&self, uri: &str) -> Request<'_, ReadResult> {
        self.prepare("resources/read", json!({ "uri": uri }))
    }

    /// Gets a prompt.
    pub fn prompt(&self, name: &str, arguments: Value) -> Request<'_, PromptResult> {
        self.prepare("prompts/get", json!({ "name": name, "arguments": arguments }))
    }

    /// Sends any request; the metadata that every request needs is added. The result is the `result` object.
    pub fn request(&self, method: &str, params: Value) -> Request<'_, Value> {
        self.prepare(method, params)
    }

    /// Every item of a list, page by page: `"tools"`, `"resources"`, `"resourceTemplates"` or `"prompts"`.
    ///
    /// # Errors
    ///
    /// The server's answer, if it is an error; `-32602` for a list that does not exist.
    pub async fn list(&self, list: &str) -> Result<Vec<Value>, Error> {
        let method = match list {
            "resourceTemplates" => "resources/templates/list".to_owned(),
            _ => format!("{list}/list"),
        };
        let (mut items, mut cursor) = (Vec::new(), None::<Value>);
        loop {
            let params = cursor.map_or_else(|| json!({}), |cursor| json!({ "cursor": cursor }));
            let mut page = self.request(&method, params).await?;
            items.extend(page[list].as_array_mut().map(std::mem::take).unwrap_or_default());
            cursor = page.get("nextCursor").cloned();
            if cursor.is_none() {
                return Ok(items);
            }
        }
    }

    /// Sends the bytes of one message as they are, and gives every message that comes back.
    pub async fn send(&self, message: impl Into<Vec<u8>>) -> Vec<Value> {
        let mut messages = Vec::new();
        let reply = self.exchange(message.into(), |notification| messages.push(parse(&notification))).await;
        messages.extend(reply.map(|reply| parse(&reply.bytes)));
        messages
    }

    fn prepare<T>(&self, method: &str, params: Value) -> Request<'_, T> {
        Request {
            client: self,
            method: method.to_owned(),
            params,
            meta: self.meta(),
            answers: VecDeque::new(),
            on_notification: None,
            result: std::marker::PhantomData,
        }
    }

    fn meta(&self) -> Map<String, Value> {
        let mut meta = Map::new();
        meta.insert("io.modelcontextprotocol/protocolVersion".to_owned(), MODERN_VERSIONS[0].into());
        meta.insert("io.modelcontextprotocol/clientCapabilities".to_owned(), self.capabilities.clone());
        meta
    }

    /// The bytes of a request.
    fn message(&self, method: &str, params: &Value) -> Vec<u8> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string().into_bytes()
    }

    /// Sends a request, and gives its result.
    async fn round(
        &self,
        method: &str,
        params: &Value,
        on_notification: &mut Option<OnNotification<'_>>,
    ) -> Result<Value, Error> {
        let notified = |line: Vec<u8>| {
            if let Some(notified) = on_notification {
                notified(parse(&line));
            }
        };
        let reply = self.exchange(self.message(method, params), notified).await;
        into_result(parse(&reply.expect("a request is answered").bytes))
    }

    async fn exchange(&self, message: Vec<u8>, mut notified: impl FnMut(Vec<u8>)) -> Option<Reply> {
        let mut exchange = match self.start(message) {
            Ok(exchange) => Attended::new(exchange, ()),
            Err(reply) => return reply,
        };
        if let Some(reply) = exchange.take_immediate() {
            return Some(reply);
        }
        loop {
            match exchange.next().await {
                Event::Notification(line) => notified(line),
                Event::Reply(reply) => return Some(reply),
            }
        }
    }

    /// Starts a request; what is none, or none that is served, has its answer already, if any.
    fn start(&self, message: Vec<u8>) -> Result<Exchange, Option<Reply>> {
        let request = match Message::read(Bytes::from(message)) {
            Message::Request(request) => *request,
            Message::Malformed(malformed) => {
                return Err(Some(Reply::error(malformed.id.as_deref(), &malformed.error)));
            }
            Message::Notification(_) | Message::Response(_) => return Err(None),
        };
        let refused = |error| Some(Reply::error(Some(request.id()), &error));
        let admitted = admit(&self.core, &request).map_err(refused)?;
        let ctx = Context::new(Arc::clone(&self.core), admitted.catalog, request, Outgoing::Open);
        Ok(Exchange::start(ctx, admitted.method))
    }
}

/// The result of an answer, or its error.
fn into_result(mut reply: Value) -> Result<Value, Error> {
    let Some(error) = reply.get("error") else { return Ok(reply["result"].take()) };
    let code = error["code"].as_i64().and_then(|code| i32::try_from(code).ok()).unwrap_or_default();
    let answer = Error::new(code, error["message"].as_str().unwrap_or_default().to_owned());
    Err(match error.get("data") {
        Some(data) => answer.with_data(data.clone()),
        None => answer,
    })
}

/// What a client can do that answers whatever it is asked.
fn answering() -> Value {
    json!({ "elicitation": { "form": {}, "url": {} }, "sampling": { "tools": {} }, "roots": {} })
}

/// An answer for each request, the first that is left under its key.
fn responses(requests: &Value, answers: &mut VecDeque<(String, Value)>) -> Result<Value, Error> {
    let mut responses = Map::new();
    for key in requests.as_object().into_iter().flat_map(Map::keys) {
        let position = answers.iter().position(|(name, _)| name == key);
        let position = position.ok_or_else(|| unanswered(requests, answers))?;
        if let Some((_, answer)) = answers.remove(position) {
            responses.insert(key.clone(), answer);
        }
    }
    Ok(responses.into())
}

/// What a test has to add: to what is asked for, with what the person would read, it has no answer.
fn unanswered(requests: &Value, left: &VecDeque<(String, Value)>) -> Error {
    let asked = requests.as_object().into_iter().flatten().map(|(key, request)| {
        let message = request["params"]["message"].as_str().or(request["method"].as_str());
        format!("`{key}` ({})", message.unwrap_or_default())
    });
    let asked = asked.collect::<Vec<_>>().join(", ");
    let left = left.iter().map(|(key, _)| format!("`{key}`")).collect::<Vec<_>>().join(", ");
    let left = if left.is_empty() { left } else { format!(" (there are answers left to {left})") };
    Error::internal(format!(
        "the server asks for {asked}, to which the test has no answer{left}: give it with `.answer(key, answer)`; what \
         is asked again was answered with something that does not fit"
    ))
}

fn parse(message: &[u8]) -> Value {
    serde_json::from_slice(message).expect("the server writes JSON")
}

type OnNotification<'a> = Box<dyn FnMut(Value) + Send + 'a>;

/// A request that is sent when it is awaited. Dropping what awaits it is a client that goes away.
#[must_use = "a request is sent when it is awaited"]
pub struct Request<'a, T> {
    client: &'a Client,
    method: String,
    params: Value,
    meta: Map<String, Value>,
    answers: VecDeque<(String, Value)>,
    on_notification: Option<OnNotification<'a>>,
    result: std::marker::PhantomData<fn() -> T>,
}

impl<'a, T> Request<'a, T> {
    /// Adds a value to the request's `_meta`.
    pub fn meta(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.meta.insert(key.to_owned(), value.into());
        self
    }

    /// Asks for log messages of this level and above.
    pub fn log_level(self, level: LogLevel) -> Self {
        self.meta("io.modelcontextprotocol/logLevel", json!(level))
    }

    /// Answers what the server asks for under this key, when it does: with `ElicitResult`,
    /// `CreateMessageResult` or `ListRootsResult`. Several answers to one key are given one after the other. A client
    /// without [`capabilities`](Client::capabilities) declares here that it can answer.
    ///
    /// ```
    /// # use mcp_runtime::testing::Client;
    /// # use serde_json::json;
    /// # async fn example(client: Client) -> mcp_runtime::Result<()> {
    /// let confirm = json!({"action": "accept", "content": {"sure": true}});
    /// let result = client.call("delete", json!({"name": "old"})).answer("input", confirm).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn answer(mut self, key: &str, answer: Value) -> Self {
        self.answers.push_back((key.to_owned(), answer));
        self
    }

    /// Asks for progress, and gets each notification of the request, as a whole JSON-RPC message.
    pub fn on_notification(mut self, notified: impl FnMut(Value) + Send + 'a) -> Self {
        self.on_notification = Some(Box::new(notified));
        self.meta("progressToken", 1)
    }
}

impl<'a, T: for<'de> Deserialize<'de> + 'a> IntoFuture for Request<'a, T> {
    type Output = Result<T, Error>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let Self { client, method, mut params, meta, mut answers, mut on_notification, .. } = self;
            params["_meta"] = meta.into();
            if !answers.is_empty() && client.capabilities == json!({}) {
                params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = answering();
            }
            let result = loop {
                let result = client.round(&method, &params, &mut on_notification).await?;
                // One who gives no answers wants to see what is asked for.
                if result["resultType"] != "input_required" || answers.is_empty() {
                    break result;
                }
                params["inputResponses"] = responses(&result["inputRequests"], &mut answers)?;
                params["requestState"] = result["requestState"].clone();
            };
            let asked = (result["resultType"] == "input_required").then(|| result["inputRequests"].clone());
            serde_json::from_value(result).map_err(|error| match asked {
                Some(asked) => unanswered(&asked, &answers),
                None => Error::internal(format!("the result of `{method}` has another shape: {error}")),
            })
        })
    }
}

/// What `tools/call` gave.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallResult {
    /// The blocks.
    pub content: Vec<Content>,
    /// The typed result, where the tool returns `Json`.
    #[serde(default)]
    pub structured_content: Option<Value>,
    /// Whether the tool failed in a way that the model can do something about.
    #[serde(default)]
    pub is_error: bool,
    /// The result's `_meta`.
    #[serde(rename = "_meta", default)]
    pub meta: Map<String, Value>,
}

impl CallResult {
    /// The blocks of text, a line each.
    pub fn text(&self) -> String {
        self.content.iter().filter_map(Content::as_text).collect::<Vec<_>>().join("\n")
    }
}

/// What `resources/read` gave.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ReadResult {
    /// The contents.
    pub contents: Vec<ResourceContents>,
}
