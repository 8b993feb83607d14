use mcp_runtime::prelude::*;

#[tool(meta("io.modelcontextprotocol/version" = 1))]
fn add() {}

fn main() {}
