use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Form {
    #[elicit(title)]
    name: String,
    #[elicit(title = "")]
    first: String,
    #[elicit]
    last: String,
    #[elicit("Age")]
    age: u8,
    #[elicit(range)]
    size: u8,
    #[elicit(default)]
    flag: bool,
}

fn main() {}
