use mcp_runtime::prelude::*;

#[derive(Elicit)]
enum Color {
    Red,
}

#[derive(Elicit)]
struct Form {
    #[elicit(items(1..=3))]
    color: Color,
}

fn main() {}
