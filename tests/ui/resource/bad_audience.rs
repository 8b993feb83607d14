use mcp_runtime::prelude::*;

#[resource("db://schema", audience(everyone))]
fn schema() -> String {
    String::new()
}

fn main() {}
