use mcp_runtime::prelude::*;

#[tool]
#[prompt]
fn add() -> String {
    String::new()
}

fn main() {}
