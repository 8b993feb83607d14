use mcp_runtime::prelude::*;

#[tool(icon(mime = "image/png"))]
fn add() {}

fn main() {}
