//! A server with tools that wait, talk and fail on demand, and a client that counts every line.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, duplex};
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use crate::Server;
use crate::changes::{Hub, Loopback};
use crate::dispatch::{Call, Outcome};
use crate::output::ToolWriter;
use crate::registry::{About, BoxFuture, Handler, Hints, Run, Schedule, ToolEntry};
use crate::transport::stdio::serve::{End, serve_io};

/// The group of the tools.
pub(super) const GROUP: &str = "stdio-tests";

pub(super) const fn tool(name: &'static str, handler: Handler) -> ToolEntry {
    ToolEntry {
        about: About { name, group: Some(GROUP), module: module_path!(), file: file!(), ..About::UNSET },
        run: Run {
            handler,
            schedule: Schedule::Inline,
            timeout: None,
            heartbeat: None,
            params: &[],
            describe: |_| {},
        },
        hints: Hints::UNSET,
        strict: false,
        input_schema: None,
    }
}

macro_rules! tools {
    ($($name:literal = $handler:expr;)*) => {$(
        inventory::submit! {
            crate::registry::Entry::Tool({
                static ENTRY: crate::registry::ToolEntry =
                    crate::transport::stdio::tests::fixture::tool($name, $handler);
                &ENTRY
            })
        }
    )*};
}
pub(super) use tools;

tools! {
    "echo" = Handler::Sync(echo);
    "wait" = Handler::Async(wait);
    "block" = Handler::Async(block);
    "chatty" = Handler::Async(chatty);
    "chatty_at_once" = Handler::Sync(|call| { talk(call); text(call, "done") });
    "pretty" = Handler::Sync(pretty);
    "panic" = Handler::Sync(|_| panic!("a secret"));
    "panic_later" = Handler::Async(|_| Box::pin(async { panic!("a secret") }));
    "panic_with_a_bomb" = Handler::Sync(|_| std::panic::panic_any(Bomb));
    "panic_with_a_bomb_later" = Handler::Async(|_| Box::pin(async { std::panic::panic_any(Bomb) }));
}

/// Panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("another secret")
    }
}

#[allow(clippy::unnecessary_wraps, reason = "what a handler gives")]
pub(super) fn text(call: &Call, text: &str) -> Outcome {
    let mut out = ToolWriter::new(call);
    out.text(text);
    Ok(out.finish())
}

pub(super) fn argument(call: &Call, name: &str) -> String {
    let json = call.pairs().find(|(key, _)| *key == name).map(|(_, json)| json);
    serde_json::from_str(json.expect("the argument is sent")).expect("it is a string")
}

fn echo(call: &Call) -> Outcome {
    text(call, &argument(call, "text"))
}

/// JSON of somebody else's, passed on as it is.
fn pretty(call: &Call) -> Outcome {
    let json = serde_json::value::RawValue::from_string("{\n  \"a\":\r\n 1\n}".to_owned());
    let mut out = ToolWriter::new(call);
    out.structured(&json.expect("it is JSON"))?;
    Ok(out.finish())
}

/// Says that it has started, waits to be released, and says when it is dropped.
fn wait(call: &Call) -> BoxFuture<'_, Outcome> {
    Box::pin(async move {
        let name = argument(call, "name");
        let stage = call.context().state::<Stage>().expect("the stage is shared");
        let _farewell = Farewell { name: &name, stage };
        stage.say("started", &name);
        stage.gate(&name).notified().await;
        text(call, &name)
    })
}

/// Holds its thread until the test releases it.
fn block(call: &Call) -> BoxFuture<'_, Outcome> {
    Box::pin(async move {
        let stage = call.context().state::<Stage>().expect("the stage is shared");
        let held = stage.held_thread.lock().expect("no test panics with it").take();
        stage.say("started", "block");
        held.expect("it is called once").recv().expect("the test releases it");
        text(call, "released")
    })
}

fn talk(call: &Call) {
    let ctx = call.context();
    ctx.log(crate::LogLevel::Info, "hello");
    ctx.progress(1.0, 2.0, "half");
    ctx.progress(2.0, 2.0, "");
}

fn chatty(call: &Call) -> BoxFuture<'_, Outcome> {
    Box::pin(async move {
        talk(call);
        tokio::task::yield_now().await;
        text(call, "done")
    })
}

struct Farewell<'a> {
    name: &'a str,
    stage: &'a Stage,
}

impl Drop for Farewell<'_> {
    fn drop(&mut self) {
        self.stage.say("dropped", self.name);
    }
}

/// What the tools of one server share with their test.
struct Stage {
    said: UnboundedSender<String>,
    gates: Gates,
    held_thread: Mutex<Option<std::sync::mpsc::Receiver<()>>>,
}

type Gates = Arc<Mutex<HashMap<String, Arc<Notify>>>>;

impl Stage {
    fn say(&self, what: &str, name: &str) {
        let _ = self.said.send(format!("{what} {name}"));
    }

    fn gate(&self, name: &str) -> Arc<Notify> {
        gate(&self.gates, name)
    }
}

fn gate(gates: &Gates, name: &str) -> Arc<Notify> {
    Arc::clone(gates.lock().expect("no test panics with it").entry(name.to_owned()).or_default())
}

/// The client's end.
pub(super) struct Client {
    pub(super) writer: DuplexStream,
    reader: Lines<BufReader<DuplexStream>>,
    heard: UnboundedReceiver<String>,
    gates: Gates,
    /// Releases the thread that `block` holds.
    pub(super) release_thread: std::sync::mpsc::Sender<()>,
    /// Tells the server to stop.
    pub(super) stop: Arc<Notify>,
    pub(super) serving: JoinHandle<End>,
    /// What tests publish changes through.
    pub(super) hub: Arc<Hub>,
}

impl Client {
    pub(super) fn new() -> Self {
        Self::of(|server| server)
    }

    /// The client of a server that is set up by `configure`.
    pub(super) fn of(configure: impl FnOnce(Server) -> Server) -> Self {
        let (writer, server_reader) = duplex(64 * 1024);
        let (server_writer, reader) = duplex(64 * 1024);
        let (said, heard) = unbounded_channel();
        let (release_thread, held_thread) = std::sync::mpsc::channel();
        let gates = Gates::default();
        let stage = Stage { said, gates: Arc::clone(&gates), held_thread: Mutex::new(Some(held_thread)) };
        let server = configure(
            Server::new().name("test").version("1").only(GROUP).state(stage).bus(Loopback::default()),
        );
        let core = server.build().expect("the server is sound");
        let hub = Arc::clone(core.hub());
        let stop = Arc::new(Notify::new());
        let stopped = Arc::clone(&stop);
        let serving =
            tokio::spawn(
                async move { serve_io(core, server_reader, server_writer, || stopped.notified()).await },
            );
        let reader = BufReader::new(reader).lines();
        Self { writer, reader, heard, gates, release_thread, stop, serving, hub }
    }

    pub(super) async fn send(&mut self, line: impl AsRef<[u8]>) {
        self.writer.write_all(line.as_ref()).await.expect("the server reads");
        self.writer.write_all(b"\n").await.expect("the server reads");
    }

    pub(super) async fn call(&mut self, id: impl Display, tool: &str, arguments: Value) {
        self.send(call(id, tool, &arguments)).await;
    }

    pub(super) async fn cancel(&mut self, id: impl Display) {
        self.send(cancelled(id)).await;
    }

    pub(super) async fn receive(&mut self) -> Value {
        let line = self.reader.next_line().await.expect("the server writes UTF-8");
        serde_json::from_str(&line.expect("the server writes a line")).expect("each line is JSON")
    }

    /// Waits until a tool says this.
    pub(super) async fn hear(&mut self, what: &str) {
        assert_eq!(self.heard.recv().await.as_deref(), Some(what));
    }

    pub(super) fn release(&self, name: &str) {
        gate(&self.gates, name).notify_one();
    }

    /// Closes the input, and gives what the server still writes, with how it ended.
    pub(super) async fn close(mut self) -> (Vec<Value>, End) {
        self.writer.shutdown().await.expect("the server reads");
        self.rest().await
    }

    /// Is gone, without closing the input first, and gives how the server ended.
    pub(super) async fn leave(self) -> End {
        drop(self.reader);
        self.serving.await.expect("the server does not panic")
    }

    /// What the server still writes until it ends.
    pub(super) async fn rest(mut self) -> (Vec<Value>, End) {
        let mut rest = Vec::new();
        while let Some(line) = self.reader.next_line().await.expect("the server writes UTF-8") {
            rest.push(serde_json::from_str(&line).expect("each line is JSON"));
        }
        (rest, self.serving.await.expect("the server does not panic"))
    }
}

pub(super) fn call(id: impl Display, tool: &str, arguments: &Value) -> String {
    let params = json!({
        "name": tool,
        "arguments": arguments,
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/logLevel": "info",
            "progressToken": "p",
        },
    });
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#)
}

pub(super) fn cancelled(id: impl Display) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":"enough"}}}}"#
    )
}

/// The whole answer of a tool that gives one text.
pub(super) fn answer(id: impl Into<Value>, text: &str) -> Value {
    json!({
        "jsonrpc": "2.0",
        "id": id.into(),
        "result": {
            "content": [{ "type": "text", "text": text }],
            "resultType": "complete",
            "_meta": { "io.modelcontextprotocol/serverInfo": { "name": "test", "version": "1" } },
        },
    })
}

/// An error response; `null` for an id that could not be read, which is left out.
pub(super) fn error(id: impl Into<Value>, code: i32, message: &str) -> Value {
    let mut response = json!({ "jsonrpc": "2.0", "error": { "code": code, "message": message } });
    let id = id.into();
    if !id.is_null() {
        response["id"] = id;
    }
    response
}
