use mcp_runtime::prelude::*;

#[prompt]
fn list(#[arg(complete = "tables")] table: String) -> String {
    table
}

fn main() {}
