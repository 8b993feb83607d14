//! Schemas that the author wrote by hand.

use schemars::Schema;
use serde_json::Value;

/// A function that `input_schema = ..` and `#[arg(schema = ..)]` can name.
///
/// You never implement it: it is every function without parameters that returns a [`serde_json::Value`] or a
/// `schemars::Schema`.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// fn color() -> serde_json::Value {
///     serde_json::json!({"type": "string", "pattern": "^#[0-9a-f]{6}$"})
/// }
///
/// /// Paint it.
/// #[tool]
/// fn paint(#[arg(schema = color)] color: String) -> String {
///     format!("painted {color}")
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "this is not a function that gives a schema",
    label = "not a schema function",
    note = "write `fn name() -> serde_json::Value`"
)]
pub trait SchemaSource<Via> {
    /// Calls the function.
    #[doc(hidden)]
    fn schema(&self) -> Value;
}

#[diagnostic::do_not_recommend]
impl<F, R> SchemaSource<fn() -> R> for F
where
    F: Fn() -> R,
    R: Into<Value> + TryInto<Schema>,
{
    fn schema(&self) -> Value {
        self().into()
    }
}
