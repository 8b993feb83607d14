use mcp_runtime::prelude::*;

#[tool(icon("logo.png"))]
fn add() {}

fn main() {}
