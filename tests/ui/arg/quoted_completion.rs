use mcp_runtime::prelude::*;

#[tool]
fn list(#[arg(complete = "tables")] table: String) {
    let _ = table;
}

fn main() {}
