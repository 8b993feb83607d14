use mcp_runtime::prelude::*;

#[tool(name = "add numbers")]
fn add() {}

fn main() {}
