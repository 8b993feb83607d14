use mcp_runtime::prelude::*;

#[derive(Elicit)]
#[elicit(title = "A form")]
struct Form {
    #[elicit(rename_all = "snake_case")]
    name: String,
}

#[derive(Elicit)]
#[elicit(rename = "colour")]
enum Color {
    #[elicit(description = "Like blood.")]
    Red,
    #[elicit(default)]
    Green,
    #[elicit(range(1..=2))]
    Blue,
}

fn main() {}
