use mcp_runtime::prelude::*;

#[tool]
fn open(#[cfg(unix)] mode: u32) {}

fn main() {}
