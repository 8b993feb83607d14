use mcp_runtime::prelude::*;

#[tool]
extern "C" fn add(a: i64) -> i64 {
    a
}

fn main() {}
