use mcp_runtime::prelude::*;

#[tool(colour = "red")]
fn add() {}

fn main() {}
