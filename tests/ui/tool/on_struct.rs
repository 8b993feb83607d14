use mcp_runtime::prelude::*;

#[tool]
struct Add {
    a: i64,
}

fn main() {}
