use mcp_runtime::prelude::*;

#[tool(title = 3)]
fn add() {}

fn main() {}
