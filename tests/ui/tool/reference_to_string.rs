use mcp_runtime::prelude::*;

#[tool]
fn shout(text: &String) -> String {
    text.to_uppercase()
}

fn main() {}
