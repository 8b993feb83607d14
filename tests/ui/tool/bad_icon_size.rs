use mcp_runtime::prelude::*;

#[tool(icon("https://example.com/a.png", sizes("big"), theme = "dim"))]
fn add() {}

fn main() {}
