use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(length(-1..3))] city: String) {
    let _ = city;
}

fn main() {}
