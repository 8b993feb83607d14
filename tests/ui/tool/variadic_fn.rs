use mcp_runtime::prelude::*;

#[tool]
fn add(numbers: ...) {}

fn main() {}
