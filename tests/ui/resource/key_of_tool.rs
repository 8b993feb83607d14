use mcp_runtime::prelude::*;

#[resource("db://schema", read_only)]
fn schema() -> String {
    String::new()
}

fn main() {}
