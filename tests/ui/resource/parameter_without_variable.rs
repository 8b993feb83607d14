use mcp_runtime::prelude::*;

#[resource("db://{table}")]
fn row(table: String, id: i64) -> String {
    format!("{table}{id}")
}

fn main() {}
