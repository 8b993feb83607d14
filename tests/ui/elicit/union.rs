use mcp_runtime::prelude::*;

#[derive(Elicit)]
union Form {
    number: u8,
    flag: bool,
}

fn main() {}
