//! A calculator: one tool, its syntax as a resource, and a prompt that puts both to use.
//!
//! ```sh
//! cargo run -p mcp-examples --bin calculator -- call calculator_arithmetic '{"expression":"sqrt(2) * 10"}'
//! cargo run -p mcp-examples --bin calculator -- --http 127.0.0.1:8080
//! ```

use mcp_examples::expression::{ExpressionError, SYNTAX, calculate};
use mcp_runtime::prelude::*;

/// Evaluate an arithmetic expression exactly, instead of in your head.
#[tool(title = "Calculator", read_only, idempotent, open_world = false)]
fn calculator_arithmetic(
    /// Numbers, + - * / % ^, parentheses, and functions such as sqrt, round, min or max.
    #[arg(examples("2 + 2", "sqrt(2) * (1 - 1/3)"), length(1..=10_000))]
    expression: &str,
) -> Result<String, ExpressionError> {
    calculate(expression)
}

/// Every operator, function and constant that expressions can have.
#[resource("calculator://syntax", title = "Syntax of expressions", mime = "text/markdown")]
fn syntax() -> &'static str {
    SYNTAX
}

/// Solve a word problem step by step.
#[prompt(title = "Word problem")]
fn word_problem(
    /// The problem, in plain words.
    problem: &str,
) -> Vec<Message> {
    vec![
        Message::user("A shirt costs 40 after a discount of 20 %. What did it cost before?"),
        Message::assistant("40 is 80 % of the price, so I calculate 40 / 0.8.\n\nIt cost **50**."),
        Message::user(format!(
            "Solve this the same way: say what you calculate and why, and let calculator_arithmetic calculate it.\n\n\
             {problem}"
        )),
    ]
}

mcp_runtime::main!();

#[cfg(test)]
mod tests {
    use mcp_runtime::testing::Client;
    use serde_json::json;

    #[tokio::test]
    async fn a_mistake_is_something_that_the_model_can_mend() {
        let client = Client::new(mcp_runtime::server!()).unwrap();
        let sum = client.call("calculator_arithmetic", json!({ "expression": "2 + 2" })).await.unwrap();
        assert_eq!((sum.text().as_str(), sum.is_error), ("4", false));
        let half = client.call("calculator_arithmetic", json!({ "expression": "2 +" })).await.unwrap();
        assert!(half.is_error);
        assert_eq!(half.text(), "at character 4: expected a number, a name, `(` or a sign; found the end");
    }
}
