use mcp_runtime::prelude::*;

extern "C" {
    #[tool]
    fn add(a: i64);
}

fn main() {}
