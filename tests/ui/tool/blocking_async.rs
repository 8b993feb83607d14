use mcp_runtime::prelude::*;

#[tool(blocking)]
async fn wait() {}

fn main() {}
