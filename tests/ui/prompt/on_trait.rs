use mcp_runtime::prelude::*;

#[prompt]
trait Ask {}

fn main() {}
