use mcp_runtime::prelude::*;

#[tool(heartbeat = "10s", timeout = "10s")]
fn wait() {}

fn main() {}
