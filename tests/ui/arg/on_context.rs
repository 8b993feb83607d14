use mcp_runtime::prelude::*;

#[tool]
fn list(#[arg(name = "context")] ctx: &Context) {
    let _ = ctx;
}

fn main() {}
