use mcp_runtime::prelude::*;

#[tool]
fn list(#[arg(flatten)] table: String) {
    let _ = table;
}

fn main() {}
