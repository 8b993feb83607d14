use mcp_runtime::prelude::*;

struct Query {
    sql: String,
}

#[tool]
fn run(query: Query) -> String {
    query.sql
}

fn main() {}
