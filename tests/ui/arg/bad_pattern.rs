use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(pattern = "[a-z")] city: String) {
    let _ = city;
}

fn main() {}
