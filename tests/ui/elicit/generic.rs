use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Form<T> {
    value: T,
}

fn main() {}
