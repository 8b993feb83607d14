use mcp_runtime::prelude::*;

#[resource("db://{table}")]
fn rows(#[arg(header = "Table")] table: String) -> String {
    table
}

fn main() {}
