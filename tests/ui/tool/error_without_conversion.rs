use mcp_runtime::prelude::*;

struct Failure;

#[tool]
fn fail() -> std::result::Result<String, Failure> {
    Err(Failure)
}

fn main() {}
