use mcp_runtime::prelude::*;

#[tool]
fn add(numbers: ...) {
    let _ = numbers;
}

fn main() {}
