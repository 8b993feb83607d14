use mcp_runtime::prelude::*;

#[tool(heartbeat = "0s")]
fn wait() {}

fn main() {}
