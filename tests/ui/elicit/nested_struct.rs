use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Address {
    city: String,
}

#[derive(Elicit)]
struct Order {
    address: Address,
}

fn main() {}
