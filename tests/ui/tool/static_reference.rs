use mcp_runtime::prelude::*;

#[tool]
fn keep(text: &'static str) -> &'static str {
    text
}

fn main() {}
