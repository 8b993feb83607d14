use mcp_runtime::prelude::*;

#[derive(Elicit)]
enum Color {
    Red,
}

#[derive(Elicit)]
struct Form {
    colors: [Color; 2],
}

fn main() {}
