use mcp_runtime::prelude::*;

use std::collections::HashMap;

#[derive(Elicit)]
struct Form {
    labels: HashMap<String, String>,
}

fn main() {}
