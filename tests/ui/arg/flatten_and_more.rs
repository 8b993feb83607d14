use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Page {
    limit: u32,
}

#[tool]
fn list(#[arg(flatten, name = "page")] page: Page) -> u32 {
    page.limit
}

fn main() {}
