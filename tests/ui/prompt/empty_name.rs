use mcp_runtime::prelude::*;

#[prompt(name = " ")]
fn ask() -> String {
    String::new()
}

fn main() {}
