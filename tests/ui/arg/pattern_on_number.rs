use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(pattern = "^[0-9]+$")] days: u8) {
    let _ = days;
}

fn main() {}
