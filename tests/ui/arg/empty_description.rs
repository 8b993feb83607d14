use mcp_runtime::prelude::*;

#[tool]
fn list(#[arg(description = "")] table: String) {
    let _ = table;
}

fn main() {}
