use mcp_runtime::prelude::*;

#[tool(timeout = 10)]
fn wait() {}

fn main() {}
