use mcp_runtime::prelude::*;

fn tables(typed: &str) -> Completions {
    Completions::matching(typed, ["orders"])
}

#[tool]
fn list(#[arg(complete = tables)] table: String) {
    let _ = (table, tables);
}

fn main() {}
