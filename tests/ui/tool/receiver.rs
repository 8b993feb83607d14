use mcp_runtime::prelude::*;

struct Calculator;

impl Calculator {
    #[tool]
    fn add(&self, a: i64) -> i64 {
        a
    }
}

fn main() {}
