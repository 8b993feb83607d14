use mcp_runtime::prelude::*;

#[tool(watch = changes)]
fn settings() -> String {
    "settings".to_owned()
}

fn main() {}
