use mcp_runtime::prelude::*;

#[tool]
fn show(value: impl ToString) -> String {
    value.to_string()
}

fn main() {}
