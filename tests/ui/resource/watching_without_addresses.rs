use mcp_runtime::Stream;
use mcp_runtime::prelude::*;

fn changes() -> std::io::Result<Box<dyn Stream<Item = ()> + Send + Unpin>> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[resource("db://{table}", watch = changes)]
fn rows(table: String) -> String {
    table
}

fn main() {}
