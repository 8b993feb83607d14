use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(examples(today()))] city: String) {
    let _ = city;
}

fn main() {}
