use mcp_runtime::prelude::*;

struct Db;

#[resource("db://schema")]
fn schema(#[arg(description = "The database.")] db: State<Db>) -> String {
    let _ = db;
    String::new()
}

fn main() {}
