use mcp_runtime::prelude::*;

#[resource("db://schema", size = "1 KB")]
fn schema() -> String {
    String::new()
}

fn main() {}
