//! What answers for a tool, a resource or a prompt that is made at run time.

use std::future::Future;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::NoArguments;
use crate::Context;

/// What answers for a [`DynamicTool`](crate::DynamicTool), [`DynamicResource`](crate::DynamicResource) or
/// [`DynamicPrompt`](crate::DynamicPrompt).
///
/// Closures and functions are handlers: `|arguments: A, ctx: Context| async move { .. }`, or without arguments
/// `|ctx: Context| async move { .. }`, with the types written out. `A` is anything that is `Deserialize + JsonSchema`.
/// What may be returned is what `#[tool]`, `#[resource]` and `#[prompt]` functions return.
///
/// A type of your own is one when it says how:
///
/// ```
/// use mcp_runtime::{Context, DynamicHandler, DynamicTool, Server};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Query {
///     /// The table to count.
///     table: String,
/// }
///
/// struct Count {
///     database: String,
/// }
///
/// impl DynamicHandler<Query> for Count {
///     type Output = String;
///
///     async fn call(&self, query: Query, _: Context) -> String {
///         format!("rows of {}.{}", self.database, query.table)
///     }
/// }
///
/// let server = Server::new();
/// let count = Count { database: "shop".to_owned() };
/// server.handle().add_tool(DynamicTool::new("count", count)).unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "this cannot answer for a tool, a resource or a prompt",
    label = "not a handler",
    note = "write `|arguments: A, ctx: Context| async move {{ .. }}` or `|ctx: Context| async move {{ .. }}`, with the types written out; an `async fn` of this shape does as well",
    note = "`A` has to be `serde::Deserialize + schemars::JsonSchema`; the context is taken by value; a state is taken with `ctx.state::<T>()`"
)]
pub trait DynamicHandler<A>: Send + Sync + 'static {
    /// What it returns: a [`ToolOutput`](crate::ToolOutput), [`ResourceOutput`](crate::ResourceOutput) or
    /// [`PromptOutput`](crate::PromptOutput).
    type Output;

    /// Answers one call. It is dropped when the client gives up, and may be run again when it asks the client.
    fn call(&self, arguments: A, ctx: Context) -> impl Future<Output = Self::Output> + Send;
}

impl<F, A, Fut> DynamicHandler<A> for F
where
    F: Fn(A, Context) -> Fut + Send + Sync + 'static,
    A: DeserializeOwned + JsonSchema + Send + 'static,
    Fut: Future + Send,
{
    type Output = Fut::Output;

    fn call(&self, arguments: A, ctx: Context) -> impl Future<Output = Self::Output> + Send {
        self(arguments, ctx)
    }
}

impl<F, Fut> DynamicHandler<NoArguments> for F
where
    F: Fn(Context) -> Fut + Send + Sync + 'static,
    Fut: Future + Send,
{
    type Output = Fut::Output;

    fn call(&self, _: NoArguments, ctx: Context) -> impl Future<Output = Self::Output> + Send {
        self(ctx)
    }
}
