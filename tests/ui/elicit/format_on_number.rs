use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Form {
    #[elicit(format = "date")]
    days: u8,
}

fn main() {}
