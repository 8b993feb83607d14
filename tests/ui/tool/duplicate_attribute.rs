use mcp_runtime::prelude::*;

#[tool]
#[tool]
fn add() {}

fn main() {}
