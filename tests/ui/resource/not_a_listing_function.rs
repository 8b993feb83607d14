use mcp_runtime::prelude::*;

fn all() -> u8 {
    1
}

#[resource("db://{table}", list = all)]
fn rows(table: String) -> String {
    table
}

fn main() {}
