use mcp_runtime::prelude::*;

#[derive(Elicit)]
enum Color {
    Red,
}

#[derive(Elicit)]
struct Form {
    #[elicit(default = 0, range(1..=14))]
    days: u8,
    #[elicit(default = 100.5, range(0..=100))]
    share: f64,
    #[elicit(default = "B", length(3..=3))]
    airport: String,
    #[elicit(default = [Color::Red], items(2..))]
    colors: Vec<Color>,
}

fn main() {}
