use mcp_runtime::prelude::*;

trait Calculator {
    #[tool]
    fn add(a: i64);
}

fn main() {}
