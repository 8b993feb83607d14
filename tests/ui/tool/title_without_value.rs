use mcp_runtime::prelude::*;

#[tool(title)]
fn add() {}

fn main() {}
