use mcp_runtime::prelude::*;

#[tool(input_schema = "schema")]
fn add() {}

fn main() {}
