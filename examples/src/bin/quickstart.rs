//! The smallest server: one function with an attribute.
//!
//! ```sh
//! cargo run -p mcp-examples --bin quickstart -- call add '{"a":1,"b":2}'
//! cargo run -p mcp-examples --bin quickstart -- --http 127.0.0.1:8080
//! ```

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

mcp_runtime::main!();
