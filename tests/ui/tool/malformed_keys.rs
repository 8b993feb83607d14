use mcp_runtime::prelude::*;

#[tool(title: "Sum")]
fn add() {}

fn main() {}
