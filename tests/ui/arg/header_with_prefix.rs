use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(header = "Mcp-Param-Region")] region: String) {
    let _ = region;
}

fn main() {}
