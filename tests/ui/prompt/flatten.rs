use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Page {
    limit: u32,
}

#[prompt]
fn explain(#[arg(flatten)] page: Page) -> String {
    page.limit.to_string()
}

fn main() {}
