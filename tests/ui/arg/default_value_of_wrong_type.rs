use mcp_runtime::prelude::*;

const FEW: Option<u8> = Some(3);

#[tool]
fn wait(#[arg(default = FEW)] days: u8) {
    let _ = days;
}

fn main() {}
