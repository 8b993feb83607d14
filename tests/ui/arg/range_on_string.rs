use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(range(1..=14))] city: String) {
    let _ = city;
}

fn main() {}
