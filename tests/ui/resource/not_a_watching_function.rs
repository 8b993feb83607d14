use mcp_runtime::prelude::*;

fn changes() -> u8 {
    1
}

#[resource("app://settings", watch = changes)]
fn settings() -> String {
    "settings".to_owned()
}

fn main() {}
