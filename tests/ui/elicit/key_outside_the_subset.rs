use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Form {
    #[elicit(pattern = "[A-Z]{3}")]
    airport: String,
    #[elicit(examples("BER"))]
    destination: String,
    #[elicit(flatten)]
    rest: String,
}

fn main() {}
