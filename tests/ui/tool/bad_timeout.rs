use mcp_runtime::prelude::*;

#[tool(timeout = "10 parsecs")]
fn wait() {}

fn main() {}
