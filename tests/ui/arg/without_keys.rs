use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg] days: u8) {
    let _ = days;
}

fn main() {}
