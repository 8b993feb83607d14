use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Id(i64);

#[resource("db://{table}")]
fn row(table: String, id: Id) -> String {
    format!("{table}{}", id.0)
}

fn main() {}
