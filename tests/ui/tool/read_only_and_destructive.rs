use mcp_runtime::prelude::*;

#[tool(read_only, destructive)]
fn wipe() {}

fn main() {}
