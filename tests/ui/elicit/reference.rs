use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Form<'a> {
    name: &'a str,
    age: &'a u8,
}

fn main() {}
