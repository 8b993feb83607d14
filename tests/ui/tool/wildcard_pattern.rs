use mcp_runtime::prelude::*;

#[tool]
fn ignore(_: String) {}

fn main() {}
