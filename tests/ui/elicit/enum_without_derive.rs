use mcp_runtime::prelude::*;

enum Color {
    Red,
}

#[derive(Elicit)]
struct Form {
    color: Color,
}

fn main() {}
