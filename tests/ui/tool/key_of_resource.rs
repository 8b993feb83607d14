use mcp_runtime::prelude::*;

#[tool(mime = "text/plain")]
fn add() {}

fn main() {}
