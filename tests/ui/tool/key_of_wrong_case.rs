use mcp_runtime::prelude::*;

#[tool(readOnlyHint)]
fn look() {}

fn main() {}
