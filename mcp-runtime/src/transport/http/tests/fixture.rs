//! Entries as the macros would register them, in a group of their own.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use serde_json::json;
use tokio::sync::oneshot;

use super::client::soon;
use crate::arguments::Arguments;
use crate::dispatch::{Call, Outcome};
use crate::output::{PromptOutput, ResourceOutput, ToolOutput};
use crate::parameter::{Argument, Parameter};
use crate::protocol::Error;
use crate::registry::{
    About, BoxFuture, Entry, Handler, Hints, Param, PromptEntry, ResourceEntry, Run, Schedule, Signature,
    ToolEntry,
};
use crate::{LogLevel, Server};

const GROUP: &str = "http-fixture";

/// A server with the entries of this file.
pub(crate) fn server() -> Server {
    Server::new().name("fixture").version("1.0.0").only(GROUP)
}

const fn about(name: &'static str) -> About {
    About { name, group: Some(GROUP), module: "http_fixture", file: file!(), line: line!(), ..About::UNSET }
}

const fn run(handler: Handler, params: &'static [Param], describe: fn(&mut Signature)) -> Run {
    Run { handler, schedule: Schedule::Inline, timeout: None, heartbeat: None, params, describe }
}

const fn tool(name: &'static str, run: Run) -> ToolEntry {
    ToolEntry { about: about(name), run, hints: Hints::UNSET, strict: false, input_schema: None }
}

const fn param(name: &'static str) -> Param {
    Param { name, ..Param::UNSET }
}

const fn mirrored(name: &'static str, header: &'static str) -> Param {
    Param { name, header: Some(header), ..Param::UNSET }
}

fn take<'call, T: Parameter<'call, Argument>>(arguments: &mut Arguments<'call>, index: usize) -> Option<T> {
    T::extract(arguments, index)
}

static ADD: ToolEntry = tool(
    "http_add",
    run(Handler::Sync(add), &[param("a"), param("b")], |signature| {
        signature.argument::<i64>(0);
        signature.argument::<i64>(1);
        signature.tool_output(<i64 as crate::ToolOutput>::output_schema);
    }),
);
inventory::submit!(Entry::Tool(&ADD));

fn add(call: &Call) -> Outcome {
    let mut arguments = call.arguments();
    match (take::<i64>(&mut arguments, 0), take::<i64>(&mut arguments, 1)) {
        (Some(a), Some(b)) => ToolOutput::respond(a + b, call),
        _ => arguments.reject(),
    }
}

/// Answers `-32021` and the like as a handler would.
static FAIL: ToolEntry = tool(
    "http_fail",
    run(Handler::Sync(fail), &[param("code")], |signature| {
        signature.argument::<i32>(0);
        signature.tool_output(<() as crate::ToolOutput>::output_schema);
    }),
);
inventory::submit!(Entry::Tool(&FAIL));

fn fail(call: &Call) -> Outcome {
    let mut arguments = call.arguments();
    match take::<i32>(&mut arguments, 0) {
        Some(code) => Err(Error::new(code, "as asked")),
        None => arguments.reject(),
    }
}

/// Takes arguments that are repeated in headers.
static MIRROR: ToolEntry = tool(
    "http_mirror",
    run(
        Handler::Sync(|call| ToolOutput::respond("mirrored", call)),
        &[
            mirrored("region", "Region"),
            mirrored("count", "Count"),
            mirrored("dry", "Dry-Run"),
            Param {
                name: "options",
                schema: Some(|| {
                    json!({
                        "type": "object",
                        "properties": { "zone": { "type": "string", "x-mcp-header": "Zone" } },
                    })
                }),
                ..Param::UNSET
            },
        ],
        |signature| {
            signature.argument::<Option<String>>(0);
            signature.argument::<Option<i64>>(1);
            signature.argument::<Option<bool>>(2);
            signature.argument::<Option<serde_json::Value>>(3);
            signature.tool_output(<&'static str as crate::ToolOutput>::output_schema);
        },
    ),
);
inventory::submit!(Entry::Tool(&MIRROR));

/// Reports progress and a log message, and is done at once.
static SAY: ToolEntry = tool(
    "http_say",
    run(Handler::Sync(say), &[], |signature| {
        signature.tool_output(<&'static str as crate::ToolOutput>::output_schema);
    }),
);
inventory::submit!(Entry::Tool(&SAY));

fn say(call: &Call) -> Outcome {
    call.context().progress(1.0, 2.0, "half");
    call.context().log(LogLevel::Info, "said");
    ToolOutput::respond("done", call)
}

/// Waits at the gate that its argument names.
static WAIT: ToolEntry = tool("http_wait", run(Handler::Async(wait), &[param("gate")], describe_wait));
inventory::submit!(Entry::Tool(&WAIT));

/// Reports progress first.
static PROGRESS: ToolEntry =
    tool("http_progress", run(Handler::Async(wait), &[param("gate")], describe_wait));
inventory::submit!(Entry::Tool(&PROGRESS));

fn describe_wait(signature: &mut Signature) {
    signature.argument::<String>(0);
    signature.tool_output(<&'static str as crate::ToolOutput>::output_schema);
}

fn wait(call: &Call) -> BoxFuture<'_, Outcome> {
    Box::pin(async move {
        let mut arguments = call.arguments();
        let Some(name) = take::<String>(&mut arguments, 0) else { return arguments.reject() };
        let inside = gates().remove(&name).expect("the test opened this gate");
        if call.plan().about.name == "http_progress" {
            call.context().progress(1.0, None, "waiting");
        }
        let _ = inside.started.send(());
        let _ended = inside.ended;
        inside.release.await.expect("the test releases the call, or drops it");
        ToolOutput::respond("released", call)
    })
}

static NOTE: ResourceEntry = ResourceEntry {
    about: about("http_note"),
    run: run(Handler::Sync(|call| ResourceOutput::respond("a note", call)), &[], |_| {}),
    uri: "fixture://notes/größe",
    mime: Some("text/plain"),
    size: None,
    audience: &[],
    priority: None,
    list: None,
    watch: None,
};
inventory::submit!(Entry::Resource(&NOTE));

static GREET: PromptEntry = PromptEntry {
    about: about("http_greet"),
    run: run(Handler::Sync(|call| PromptOutput::respond("hello", call)), &[], |_| {}),
};
inventory::submit!(Entry::Prompt(&GREET));

/// A call that waits, as its test sees it.
pub(crate) struct Gate {
    pub(crate) name: String,
    started: oneshot::Receiver<()>,
    release: Option<oneshot::Sender<()>>,
    ended: oneshot::Receiver<()>,
}

struct Inside {
    started: oneshot::Sender<()>,
    release: oneshot::Receiver<()>,
    /// Dropped with the handler.
    ended: oneshot::Sender<()>,
}

fn gates() -> MutexGuard<'static, HashMap<String, Inside>> {
    static GATES: LazyLock<Mutex<HashMap<String, Inside>>> = LazyLock::new(Mutex::default);
    GATES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Gate {
    pub(crate) fn new(name: &str) -> Self {
        let (starts, started) = oneshot::channel();
        let (releases, release) = oneshot::channel();
        let (ends, ended) = oneshot::channel();
        gates().insert(name.to_owned(), Inside { started: starts, release, ended: ends });
        Self { name: name.to_owned(), started, release: Some(releases), ended }
    }

    /// Waits until the handler runs.
    pub(crate) async fn started(&mut self) {
        soon(&mut self.started).await.expect("the handler says so");
    }

    pub(crate) fn release(&mut self) {
        self.release.take().expect("released once").send(()).expect("the handler waits");
    }

    /// Waits until the handler's future was dropped.
    pub(crate) async fn ended(self) {
        soon(self.ended).await.expect_err("it is only ever dropped");
        drop(self.release);
    }
}
