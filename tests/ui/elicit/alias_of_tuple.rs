use mcp_runtime::prelude::*;

type Pair = (u8, u8);

#[derive(Elicit)]
struct Form {
    pair: Option<Pair>,
}

fn main() {}
