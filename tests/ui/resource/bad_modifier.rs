use mcp_runtime::prelude::*;

#[resource("db://{table:3}")]
fn table(table: String) -> String {
    table
}

fn main() {}
