use mcp_runtime::prelude::*;

fn schema() -> u8 {
    1
}

#[tool]
fn wait(#[arg(schema = schema)] days: u8) {
    let _ = days;
}

fn main() {}
