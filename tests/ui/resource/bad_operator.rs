use mcp_runtime::prelude::*;

#[resource("db://{=table}")]
fn table(table: String) -> String {
    table
}

fn main() {}
