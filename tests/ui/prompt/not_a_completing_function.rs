use mcp_runtime::prelude::*;

fn styles() -> u8 {
    1
}

#[prompt]
fn explain(#[arg(complete = styles)] style: String) -> String {
    style
}

fn main() {}
