use mcp_runtime::prelude::*;

#[tool(readonly)]
fn add() {}

fn main() {}
