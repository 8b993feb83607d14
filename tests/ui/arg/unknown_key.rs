use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(defualt = 3)] days: u8) {
    let _ = days;
}

fn main() {}
