use mcp_runtime::prelude::*;

#[prompt(descripton = "Explain.")]
fn explain() -> String {
    String::new()
}

fn main() {}
