use mcp_runtime::prelude::*;

#[tool]
fn push(text: &mut String) {
    text.push('x');
}

fn main() {}
