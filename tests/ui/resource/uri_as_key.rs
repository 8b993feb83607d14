use mcp_runtime::prelude::*;

#[resource(uri = "db://schema")]
fn schema() -> String {
    String::new()
}

fn main() {}
