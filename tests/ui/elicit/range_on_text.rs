use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Form {
    #[elicit(range(1..=3))]
    name: String,
}

fn main() {}
