use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Form {
    #[elicit(length(1..=3))]
    days: Option<u8>,
}

fn main() {}
