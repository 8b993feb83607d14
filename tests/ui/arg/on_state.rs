use mcp_runtime::prelude::*;

struct Db;

#[tool]
fn list(#[arg(description = "The database.")] db: State<Db>) {
    let _ = db;
}

fn main() {}
