use mcp_runtime::prelude::*;

const MOST: u8 = 14;

#[tool]
fn wait(#[arg(range(1..=MOST))] days: u8) {
    let _ = days;
}

fn main() {}
