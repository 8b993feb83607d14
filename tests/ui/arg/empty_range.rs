use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(range(14..=1))] days: u8) {
    let _ = days;
}

fn main() {}
