use mcp_runtime::prelude::*;

struct Calculator;

#[tool]
impl Calculator {
    fn add(&self) {}
}

fn main() {}
