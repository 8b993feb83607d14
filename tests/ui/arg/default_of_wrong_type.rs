use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(default = "three")] days: u8) {
    let _ = days;
}

fn main() {}
