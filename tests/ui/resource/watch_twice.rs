use mcp_runtime::prelude::*;

#[resource("app://settings", watch = one, watch = two)]
fn settings() -> String {
    "settings".to_owned()
}

fn main() {}
