use mcp_runtime::prelude::*;

#[resource("app://settings", watch = true)]
fn settings() -> String {
    "settings".to_owned()
}

fn main() {}
