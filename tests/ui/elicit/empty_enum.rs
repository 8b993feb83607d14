use mcp_runtime::prelude::*;

#[derive(Elicit)]
enum Never {}

fn main() {}
