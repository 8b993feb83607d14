use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(default = 3)] city: String) {
    let _ = city;
}

fn main() {}
