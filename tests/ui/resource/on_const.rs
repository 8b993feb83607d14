use mcp_runtime::prelude::*;

#[resource("app://limit")]
const LIMIT: u8 = 3;

fn main() {}
