use mcp_runtime::prelude::*;

#[tool(title = "Add", read_only, title = "Sum")]
fn add() {}

fn main() {}
