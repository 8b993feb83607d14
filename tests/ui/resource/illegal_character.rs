use mcp_runtime::prelude::*;

#[resource("db://my table")]
fn table() -> String {
    String::new()
}

fn main() {}
