use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(header = "Days")] days: f64) {
    let _ = days;
}

fn main() {}
