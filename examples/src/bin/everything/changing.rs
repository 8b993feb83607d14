//! What changes while the server runs, and whom it tells.

use std::sync::Mutex;
use std::time::Duration;

use mcp_runtime::prelude::*;
use mcp_runtime::{Context, DynamicTool};
use schemars::JsonSchema;
use serde::Deserialize;

/// What `test://watched-resource` holds.
#[derive(Default)]
pub(crate) struct Watched(Mutex<u64>);

/// A number that `update_watched_resource` counts up.
#[resource("test://watched-resource", name = "watched_resource", mime = "text/plain")]
fn watched_resource(watched: State<Watched>) -> String {
    format!("updated {} times", watched.0.lock().expect("nobody panics with it"))
}

/// Change `test://watched-resource`, and tell those who are subscribed to it.
#[tool]
fn update_watched_resource(
    /// How often to count it up.
    #[arg(default = 1, range(1..=1_000_000))]
    times: u64,
    watched: State<Watched>,
    ctx: &Context,
) -> String {
    for _ in 0..times {
        *watched.0.lock().expect("nobody panics with it") += 1;
        ctx.server().resource_updated("test://watched-resource");
    }
    watched_resource(watched)
}

/// A tool that comes and goes.
#[tool]
fn extra_tool() -> &'static str {
    "here today, gone tomorrow"
}

/// Show `extra_tool` in the list, or hide it.
#[tool]
fn toggle_extra_tool(on: bool, ctx: &Context) -> &'static str {
    let is_changed = if on { ctx.server().enable("extra_tool") } else { ctx.server().disable("extra_tool") };
    if is_changed { "the list is another one" } else { "it was so already" }
}

/// A resource that comes and goes.
#[resource("test://extra-resource")]
fn extra_resource() -> &'static str {
    "here today, gone tomorrow"
}

/// Show `extra_resource` in the list, or hide it.
#[tool]
fn toggle_extra_resource(on: bool, ctx: &Context) -> &'static str {
    let server = ctx.server();
    let is_changed = if on { server.enable("extra_resource") } else { server.disable("extra_resource") };
    if is_changed { "the list is another one" } else { "it was so already" }
}

#[derive(Deserialize, JsonSchema)]
struct Greeted {
    /// Whom to greet.
    name: String,
}

/// Add a tool that greets, or take it away.
#[tool]
fn add_greeting_tool(
    #[arg(default = true)] there: bool,
    /// How it greets.
    #[arg(default = "Hello")]
    greeting: String,
    ctx: &Context,
) -> Result<&'static str> {
    ctx.server().remove_tool("greet_somebody");
    if !there {
        return Ok("it is gone");
    }
    let greet = DynamicTool::new("greet_somebody", move |args: Greeted, _ctx: Context| {
        let text = format!("{greeting}, {}!", args.name);
        async move { text }
    });
    ctx.server().add_tool(greet.description("Greet somebody."))?;
    Ok("it is there")
}

// What the conformance suite calls.

/// Comes and goes with `test_trigger_tool_change`.
#[tool]
fn test_changing_tool() -> &'static str {
    "here for now"
}

/// Comes and goes with `test_trigger_prompt_change`.
#[prompt]
fn test_changing_prompt() -> &'static str {
    "Here for now."
}

/// Shows an entry that is hidden, and hides one that is shown.
fn toggle(name: &str, ctx: &Context) -> &'static str {
    if ctx.server().disable(name) || ctx.server().enable(name) { "changed" } else { "not changed" }
}

/// Change the list of tools.
#[tool]
fn test_trigger_tool_change(ctx: &Context) -> &'static str {
    toggle("test_changing_tool", ctx)
}

/// Change the list of prompts.
#[tool]
fn test_trigger_prompt_change(ctx: &Context) -> &'static str {
    toggle("test_changing_prompt", ctx)
}

/// Let the client go, and have the answer ready when it comes back.
#[tool]
async fn test_reconnection(ctx: &Context) -> &'static str {
    ctx.close_stream(Duration::from_millis(500));
    tokio::time::sleep(Duration::from_millis(100)).await;
    "You came back."
}
