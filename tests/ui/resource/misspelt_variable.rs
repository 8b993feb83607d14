use mcp_runtime::prelude::*;

#[resource("db://{tabel}")]
fn row(table: String) -> String {
    table
}

fn main() {}
