use mcp_runtime::prelude::*;

#[resource("db://{table}/rows/{id}")]
fn row(table: String) -> String {
    table
}

fn main() {}
