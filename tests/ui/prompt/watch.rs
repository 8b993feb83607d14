use mcp_runtime::prelude::*;

#[prompt(watch = changes)]
fn settings() -> String {
    "settings".to_owned()
}

fn main() {}
