use mcp_runtime::prelude::*;

#[derive(Elicit)]
enum Color {
    Red,
}

#[derive(Elicit)]
struct Form {
    #[elicit(default = "three")]
    days: u8,
    #[elicit(default = 1.5)]
    seats: Option<u8>,
    #[elicit(default = "Red")]
    color: Color,
    #[elicit(default = 1)]
    sure: bool,
}

fn main() {}
