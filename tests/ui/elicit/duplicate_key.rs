use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Form {
    #[elicit(title = "Name", title = "First name")]
    name: String,
    #[elicit(range(1..=2))]
    #[elicit(default = 1, range(1..=3))]
    age: u8,
}

fn main() {}
