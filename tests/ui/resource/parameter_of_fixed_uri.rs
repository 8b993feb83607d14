use mcp_runtime::prelude::*;

#[resource("db://schema")]
fn schema(table: String) -> String {
    table
}

fn main() {}
