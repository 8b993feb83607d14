use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Query {
    sql: String,
}

#[tool]
fn run(query: &Query) -> String {
    query.sql.clone()
}

fn main() {}
