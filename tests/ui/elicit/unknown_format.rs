use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Form {
    #[elicit(format = "datetime")]
    start: String,
    #[elicit(format = "ipv4")]
    host: String,
    #[elicit(format = email)]
    mail: String,
}

fn main() {}
