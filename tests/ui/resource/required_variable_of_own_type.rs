use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Limit(u32);

#[resource("db://rows{?limit}")]
fn rows(limit: Limit) -> String {
    limit.0.to_string()
}

fn main() {}
