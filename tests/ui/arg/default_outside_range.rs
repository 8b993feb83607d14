use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(default = 0, range(1..=14))] days: u8) {
    let _ = days;
}

fn main() {}
