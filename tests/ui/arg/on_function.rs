use mcp_runtime::prelude::*;

#[tool]
#[arg(name = "day")]
fn wait(days: u8) {
    let _ = days;
}

fn main() {}
