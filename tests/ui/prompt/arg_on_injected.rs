use mcp_runtime::prelude::*;

struct Db;

#[prompt]
fn explain(#[arg(description = "The database.")] db: State<Db>) -> String {
    let _ = db;
    String::new()
}

fn main() {}
