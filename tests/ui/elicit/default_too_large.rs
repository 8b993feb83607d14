use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Form {
    #[elicit(default = 300)]
    days: u8,
}

fn main() {}
