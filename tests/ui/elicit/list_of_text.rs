use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Form {
    #[elicit(default = ["a", "b"])]
    tags: Vec<String>,
}

fn main() {}
