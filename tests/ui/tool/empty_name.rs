use mcp_runtime::prelude::*;

#[tool(name = "")]
fn add() {}

fn main() {}
