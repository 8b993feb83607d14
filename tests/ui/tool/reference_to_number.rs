use mcp_runtime::prelude::*;

#[tool]
fn double(value: &i64) -> i64 {
    value * 2
}

fn main() {}
