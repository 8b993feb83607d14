//! The README's function, called as a tool and as itself.

use mcp_runtime::prelude::*;

/// Add two numbers.
#[tool]
fn add(
    /// First addend.
    a: i64,
    /// Second addend.
    b: i64,
) -> i64 {
    a + b
}

fn main() {
    assert_eq!(add(1, 2), 3);
}
