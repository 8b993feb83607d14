use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(header = "Days")] days: Option<Vec<u8>>) {
    let _ = days;
}

fn main() {}
