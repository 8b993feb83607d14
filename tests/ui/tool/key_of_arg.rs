use mcp_runtime::prelude::*;

#[tool(default = 3)]
fn add(a: i64) -> i64 {
    a
}

fn main() {}
