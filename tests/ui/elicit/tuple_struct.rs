use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Age(u8);

fn main() {}
