use mcp_runtime::prelude::*;

#[tool(inline, heartbeat = "1s")]
fn wait() {}

fn main() {}
