use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(default = 3)] days: Option<u8>) {
    let _ = days;
}

fn main() {}
