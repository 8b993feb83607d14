use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Form {
    #[elicit(titel = "Name")]
    name: String,
    #[elicit(name = "years")]
    age: u8,
    #[elicit(header = "Region")]
    region: String,
}

fn main() {}
