use mcp_runtime::prelude::*;

#[tool(inline, timeout = "1s")]
fn wait() {}

fn main() {}
