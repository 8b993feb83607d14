use mcp_runtime::prelude::*;

#[tool]
fn sum(values: &Vec<i64>) -> i64 {
    values.iter().sum()
}

fn main() {}
