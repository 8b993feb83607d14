use mcp_runtime::prelude::*;

fn schema() -> &'static str {
    "{}"
}

#[tool(input_schema = schema)]
fn add() {}

fn main() {}
