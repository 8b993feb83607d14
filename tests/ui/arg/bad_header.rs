use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(header = "My Region")] region: String) {
    let _ = region;
}

fn main() {}
