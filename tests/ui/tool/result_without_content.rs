use mcp_runtime::prelude::*;

struct Row {
    id: i64,
}

#[tool]
fn row() -> Row {
    Row { id: 1 }
}

fn main() {}
