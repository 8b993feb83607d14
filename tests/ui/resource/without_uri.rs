use mcp_runtime::prelude::*;

#[resource]
fn schema() -> String {
    String::new()
}

fn main() {}
