use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Form {
    #[elicit(range(1..10))]
    days: u8,
    #[elicit(range(0.0..1.0))]
    share: f64,
    #[elicit(range(5..=1))]
    seats: u8,
    #[elicit(length(-1..=5))]
    name: String,
    #[elicit(length(5))]
    code: String,
    #[elicit(range(LOW..=5))]
    level: u8,
    #[elicit(range = 5)]
    weight: u8,
}

fn main() {}
