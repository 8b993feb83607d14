use mcp_runtime::prelude::*;

#[tool]
fn open(#[cfg(unix)] mode: u32) {
    let _ = mode;
}

fn main() {}
