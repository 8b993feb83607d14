use mcp_runtime::prelude::*;

#[prompt]
fn explain() -> u8 {
    1
}

fn main() {}
