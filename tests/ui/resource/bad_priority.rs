use mcp_runtime::prelude::*;

#[resource("db://schema", priority = 8)]
fn schema() -> String {
    String::new()
}

fn main() {}
