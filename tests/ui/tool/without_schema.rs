use mcp_runtime::prelude::*;

#[derive(serde::Deserialize)]
struct Query {
    sql: String,
}

#[tool]
fn run(query: Query) -> String {
    query.sql
}

fn main() {}
