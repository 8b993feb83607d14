use mcp_runtime::prelude::*;

#[tool("sum")]
fn add() {}

fn main() {}
