use mcp_runtime::prelude::*;

#[derive(Elicit)]
#[elicit(rename_all = "snake-case")]
struct Form {
    first_name: String,
}

#[derive(Elicit)]
#[elicit(rename_all = "title")]
enum Color {
    Red,
}

fn main() {}
