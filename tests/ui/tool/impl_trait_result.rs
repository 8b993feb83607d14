use mcp_runtime::prelude::*;

#[tool]
fn list() -> impl Iterator<Item = u8> {
    [1, 2].into_iter()
}

fn main() {}
