use mcp_runtime::prelude::*;

#[resource(3)]
fn schema() -> String {
    String::new()
}

fn main() {}
