use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(length(1..=3))] days: u8) {
    let _ = days;
}

fn main() {}
