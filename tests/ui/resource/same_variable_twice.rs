use mcp_runtime::prelude::*;

#[resource("db://{table}/{table}")]
fn row(table: String) -> String {
    table
}

fn main() {}
