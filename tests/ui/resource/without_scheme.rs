use mcp_runtime::prelude::*;

#[resource("/etc/hosts")]
fn hosts() -> String {
    String::new()
}

fn main() {}
