use mcp_runtime::prelude::*;

#[resource("db://schema", mime = "json")]
fn schema() -> String {
    String::new()
}

fn main() {}
