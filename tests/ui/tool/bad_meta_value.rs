use mcp_runtime::prelude::*;

#[tool(meta("com.example/limit" = limit()))]
fn add() {}

fn main() {}
