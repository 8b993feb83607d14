use mcp_runtime::prelude::*;

#[resource("db://rows{?limit}")]
fn rows(limit: u32) -> String {
    limit.to_string()
}

fn main() {}
