use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Form {
    range: (u8, u8),
    nothing: (),
}

fn main() {}
