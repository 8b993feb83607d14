use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(default = 3)] #[arg(range(1..))] days: u8) {
    let _ = days;
}

fn main() {}
