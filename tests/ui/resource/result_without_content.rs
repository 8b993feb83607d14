use mcp_runtime::prelude::*;

struct Row;

#[resource("db://row")]
fn row() -> Row {
    Row
}

fn main() {}
