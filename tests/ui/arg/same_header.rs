use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(header = "Region")] from: String, #[arg(header = "region")] to: String) {
    let _ = (from, to);
}

fn main() {}
