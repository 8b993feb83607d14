use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(format = "date")] days: Vec<String>) {
    let _ = days;
}

fn main() {}
