use mcp_runtime::prelude::*;

use std::borrow::Cow;

#[derive(Elicit)]
struct Form<'a> {
    name: Cow<'a, str>,
}

fn main() {}
