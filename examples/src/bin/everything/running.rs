//! How tools run, and what they get from the server.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use mcp_runtime::prelude::*;
use mcp_runtime::{Error, FromContext};

/// What all calls share.
#[derive(Default)]
pub(crate) struct Visits(AtomicU64);

/// Count the calls of this tool.
#[tool]
fn run_with_state(visits: State<Visits>) -> u64 {
    visits.0.fetch_add(1, Ordering::Relaxed) + 1
}

/// Who is asking.
struct Tenant(String);

impl<'call> FromContext<'call> for Tenant {
    fn from_context(ctx: &'call Context) -> Result<Self, Error> {
        Ok(Self(ctx.meta("com.example/tenant").unwrap_or_else(|| "nobody in particular".to_owned())))
    }
}

/// Take a parameter of your own from the request.
#[tool(read_only)]
fn run_with_tenant(tenant: Tenant) -> String {
    format!("hello, {}", tenant.0)
}

/// Look at the client and its request.
#[tool(read_only)]
fn run_with_context(ctx: &Context) -> String {
    let name = ctx.client().info().map_or("a client without a name", |info| info.name.as_str());
    let abilities: Vec<_> = ctx.client().capabilities().keys().map(String::as_str).collect();
    format!("request {} of {name}, which can do: {}", ctx.request_id(), abilities.join(", "))
}

/// Run at once, where the request was read: for what takes microseconds.
#[tool(inline, read_only)]
fn run_inline() -> &'static str {
    "done"
}

/// Run beside the async runtime: for what waits or computes.
#[tool(blocking, read_only)]
fn run_blocking(#[arg(default = 20, range(..=5000))] milliseconds: u64) -> String {
    std::thread::sleep(Duration::from_millis(milliseconds));
    format!("slept for {milliseconds} ms")
}

/// Give up after a second, however long it would take.
#[tool(timeout = "1s", read_only)]
async fn run_with_timeout(#[arg(default = 0, range(..=60))] seconds: u64) -> String {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    format!("{seconds} seconds are not too long")
}

/// How many calls of [`run_slowly`] were given up.
#[derive(Default)]
pub(crate) struct GivenUp(AtomicU64);

/// Counts the call, unless its work was finished.
struct Unfinished<'a>(Option<&'a GivenUp>);

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        if let Some(given_up) = self.0 {
            given_up.0.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Take as long as you like; a client that has enough of it cancels the call, which then stops where it is.
#[tool(read_only)]
async fn run_slowly(
    #[arg(default = 0, range(..=300))] seconds: u32,
    given_up: State<GivenUp>,
    ctx: &Context,
) -> String {
    let mut unfinished = Unfinished(Some(&given_up));
    for second in 0..seconds {
        ctx.progress(f64::from(second), f64::from(seconds), "still at it");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    unfinished.0 = None;
    format!("took {seconds} s")
}

/// Count the calls of `run_slowly` that were cancelled.
#[tool(read_only)]
fn run_given_up(given_up: State<GivenUp>) -> u64 {
    given_up.0.load(Ordering::Relaxed)
}

/// Start work that goes on after the answer, and ends when the client gives up.
#[tool]
fn run_detached(ctx: Context) -> &'static str {
    tokio::spawn(async move {
        tokio::select! {
            () = ctx.cancelled() => tracing::debug!("the client went away"),
            () = tokio::time::sleep(Duration::from_millis(100)) => tracing::debug!("the work is done"),
        }
    });
    "started"
}

/// Tell a client that asked for it what goes on: by `tracing`, and by hand.
#[tool(read_only)]
fn run_with_logs(ctx: &Context) -> &'static str {
    tracing::info!(rows = 12, "the table was read");
    tracing::warn!("two rows were skipped");
    ctx.log(LogLevel::Notice, serde_json::json!({ "skipped": [3, 7] }));
    "logged"
}

/// Everything that can be said about a tool.
#[tool(
    name = "run.described",
    title = "A tool that is well described",
    read_only,
    destructive = false,
    idempotent,
    open_world = false,
    icon("https://example.com/light.png", mime = "image/png", sizes("48x48", "96x96"), theme = "light"),
    icon("https://example.com/any.svg", mime = "image/svg+xml", sizes("any")),
    meta("com.example/team" = "search", "com.example/tier" = 2),
    group = "described"
)]
fn run_described() -> &'static str {
    "look at how I am listed"
}
