use mcp_runtime::prelude::*;

#[tool(inline, blocking)]
fn wait() {}

fn main() {}
