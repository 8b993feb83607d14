use mcp_runtime::prelude::*;

#[tool]
fn travel(city: String, #[arg(name = "city")] to: String) {
    let _ = (city, to);
}

fn main() {}
