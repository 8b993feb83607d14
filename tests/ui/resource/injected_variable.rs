use mcp_runtime::prelude::*;

struct Db;

#[resource("db://{db}")]
fn schema(db: State<Db>) -> String {
    let _ = db;
    String::new()
}

fn main() {}
