use mcp_runtime::prelude::*;

#[tool(heartbeat = "now and then")]
fn wait() {}

fn main() {}
