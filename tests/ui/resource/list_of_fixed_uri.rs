use mcp_runtime::prelude::*;

fn all() -> Vec<ResourceLink> {
    Vec::new()
}

#[resource("db://schema", list = all)]
fn schema() -> String {
    String::new()
}

fn main() {}
