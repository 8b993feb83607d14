use mcp_runtime::prelude::*;

#[derive(Elicit)]
enum Payment {
    Cash,
    Card(String),
    Transfer { iban: String },
}

#[derive(Elicit)]
struct Form {
    payment: Payment,
}

fn main() {}
