use mcp_runtime::prelude::*;

struct Id;

#[resource("db://{id}")]
fn row(id: Id) -> String {
    let _ = id;
    String::new()
}

fn main() {}
