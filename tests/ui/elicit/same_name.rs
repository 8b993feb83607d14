use mcp_runtime::prelude::*;

#[derive(Elicit)]
#[elicit(rename_all = "camelCase")]
struct Form {
    first_name: String,
    #[elicit(rename = "firstName")]
    name: String,
}

#[derive(Elicit)]
#[elicit(rename_all = "lowercase")]
enum Color {
    Red,
    RED,
}

fn main() {}
