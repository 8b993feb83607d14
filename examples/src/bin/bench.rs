//! What benchmarks measure: an argument of each kind, a result of each kind, and no work in between.
//!
//! ```sh
//! cargo run --release -p mcp-examples --bin bench -- call structured '{"n":7}'
//! cargo run --release -p mcp-examples --bin bench -- --http 127.0.0.1:8080
//! ```

use mcp_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

/// Add two numbers.
#[tool(read_only, idempotent, inline)]
fn add(a: i64, b: i64) -> i64 {
    a.wrapping_add(b)
}

/// Give the text back.
#[tool(read_only, idempotent, inline)]
fn echo(text: String) -> String {
    text
}

#[derive(Debug, PartialEq, Serialize, JsonSchema)]
struct Item {
    n: u32,
    square: u64,
    label: String,
    even: bool,
    tags: [&'static str; 3],
}

/// Describe a number as an object.
#[tool(read_only, idempotent, inline)]
fn structured(n: u32) -> Json<Item> {
    Json(Item {
        n,
        square: u64::from(n).pow(2),
        label: format!("item-{n}"),
        even: n.is_multiple_of(2),
        tags: ["alpha", "beta", "gamma"],
    })
}

mcp_runtime::main!();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_number_has_a_square() {
        let Json(item) = structured(u32::MAX);
        assert_eq!(item.square, 18_446_744_065_119_617_025);
        assert_eq!(item.label, "item-4294967295");
        assert!(!item.even);
    }
}
