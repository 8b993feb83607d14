use mcp_runtime::prelude::*;

#[tool]
fn größe() {}

fn main() {}
