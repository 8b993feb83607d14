use mcp_runtime::prelude::*;

#[prompt]
fn explain(#[arg(header = "Region")] region: String) -> String {
    region
}

fn main() {}
