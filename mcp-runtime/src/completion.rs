//! Completing the arguments of prompts and the variables of templates (server/utilities/completion).

use std::collections::BTreeMap;
use std::future::Future;

use crate::context::Context;
use crate::protocol::{Error, ResourceLink, Result};
use crate::registry::BoxFuture;

/// What is being completed: the text so far, and what the other arguments already are.
pub struct CompletionRequest<'call> {
    pub(crate) value: &'call str,
    pub(crate) arguments: BTreeMap<String, String>,
    pub(crate) ctx: &'call Context,
}

impl CompletionRequest<'_> {
    /// The text that was typed so far.
    pub fn value(&self) -> &str {
        self.value
    }

    /// What another argument already is.
    ///
    /// "Clients should include previous completions in the `context.arguments` object."
    pub fn argument(&self, name: &str) -> Option<&str> {
        self.arguments.get(name).map(String::as_str)
    }

    /// The request's context, for [`Context::state`].
    pub fn context(&self) -> &Context {
        self.ctx
    }
}

/// Values for an argument, best first. At most 100 go to the client; the rest is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    pub(crate) values: Vec<String>,
}

impl Completions {
    /// The most that one answer holds: "Maximum 100 items per response".
    pub(crate) const LIMIT: usize = 100;

    /// Those of `candidates` that go with what was typed: those that start with it, then those that contain
    /// it, without regard to case.
    ///
    /// ```
    /// use mcp_runtime::Completions;
    ///
    /// let matches = Completions::matching("py", ["numpy", "python", "rust"]);
    /// assert_eq!(matches, Completions::from_iter(["python", "numpy"]));
    /// ```
    pub fn matching(typed: &str, candidates: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let typed = typed.to_lowercase();
        let (mut first, mut then) = (Vec::new(), Vec::new());
        for candidate in candidates {
            let candidate = candidate.into();
            let folded = candidate.to_lowercase();
            if folded.starts_with(&typed) {
                first.push(candidate);
            } else if folded.contains(&typed) {
                then.push(candidate);
            }
        }
        first.append(&mut then);
        Self { values: first }
    }
}

impl<S: Into<String>> FromIterator<S> for Completions {
    fn from_iter<I: IntoIterator<Item = S>>(values: I) -> Self {
        Self { values: values.into_iter().map(Into::into).collect() }
    }
}

/// What a completing function returns: a list of strings, or a `Result` of one.
pub trait IntoCompletions {
    /// The values, or the error that the client gets.
    fn into_completions(self) -> std::result::Result<Completions, Error>;
}

impl IntoCompletions for Completions {
    fn into_completions(self) -> std::result::Result<Completions, Error> {
        Ok(self)
    }
}

impl<S: Into<String>> IntoCompletions for Vec<S> {
    fn into_completions(self) -> std::result::Result<Completions, Error> {
        Ok(self.into_iter().collect())
    }
}

impl<S: Into<String>, const N: usize> IntoCompletions for [S; N] {
    fn into_completions(self) -> std::result::Result<Completions, Error> {
        Ok(self.into_iter().collect())
    }
}

impl IntoCompletions for &[&str] {
    fn into_completions(self) -> std::result::Result<Completions, Error> {
        Ok(self.iter().copied().collect())
    }
}

impl<T: IntoCompletions, E: Into<Box<dyn std::error::Error + Send + Sync>>> IntoCompletions for Result<T, E> {
    fn into_completions(self) -> std::result::Result<Completions, Error> {
        self.map_err(into_protocol_error)?.into_completions()
    }
}

fn into_protocol_error<E: Into<Box<dyn std::error::Error + Send + Sync>>>(error: E) -> Error {
    match error.into().downcast::<Error>() {
        Ok(error) => *error,
        Err(error) => Error::internal(crate::output::chain(&*error)),
    }
}

/// A function that `complete = ..` can name.
///
/// It takes the text so far as `&str`, then, if it wants, `&Context`; or a [`CompletionRequest`] for what the
/// other arguments are. It may be `async`, and returns strings or a `Result` of them.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// fn tables(typed: &str) -> Completions {
///     Completions::matching(typed, ["orders", "customers"])
/// }
///
/// /// A table's columns.
/// #[resource("db://{table}/columns")]
/// fn columns(#[arg(complete = tables)] table: String) -> String {
///     format!("the columns of {table}")
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "this cannot be named by `complete`",
    label = "not a completing function",
    note = "write `fn name(typed: &str) -> Vec<String>`, with `&Context` or `async` as you need, or take a `&CompletionRequest<'_>` for the other arguments"
)]
pub trait CompletionSource<Via> {
    /// Runs the function.
    #[doc(hidden)]
    fn complete<'call>(
        &'static self,
        request: &'call CompletionRequest<'call>,
    ) -> BoxFuture<'call, std::result::Result<Completions, Error>>;
}

/// A function that `list = ..` can name: it lists the resources that a template stands for.
///
/// It takes nothing or `&Context`, may be `async`, and returns addresses or [`ResourceLink`]s, or a `Result`
/// of them.
#[diagnostic::on_unimplemented(
    message = "this cannot be named by `list`",
    label = "not a listing function",
    note = "write `fn name(ctx: &Context) -> Vec<ResourceLink>`, `async` if you need, or without `ctx`"
)]
pub trait ListSource<Via> {
    /// Runs the function.
    #[doc(hidden)]
    fn list<'call>(
        &'static self,
        ctx: &'call Context,
    ) -> BoxFuture<'call, std::result::Result<Vec<ResourceLink>, Error>>;
}

/// What a listing function returns.
pub trait IntoResourceList {
    /// The links, or the error that the client gets.
    fn into_resource_list(self) -> std::result::Result<Vec<ResourceLink>, Error>;
}

impl<L: Into<ResourceLink>> IntoResourceList for Vec<L> {
    fn into_resource_list(self) -> std::result::Result<Vec<ResourceLink>, Error> {
        Ok(self.into_iter().map(Into::into).collect())
    }
}

impl<L: Into<ResourceLink>, const N: usize> IntoResourceList for [L; N] {
    fn into_resource_list(self) -> std::result::Result<Vec<ResourceLink>, Error> {
        Ok(self.into_iter().map(Into::into).collect())
    }
}

impl<T: IntoResourceList, E: Into<Box<dyn std::error::Error + Send + Sync>>> IntoResourceList
    for Result<T, E>
{
    fn into_resource_list(self) -> std::result::Result<Vec<ResourceLink>, Error> {
        self.map_err(into_protocol_error)?.into_resource_list()
    }
}

/// Tells the forms of functions apart; always inferred.
pub struct Form<const ASYNC: bool, Arguments>(std::marker::PhantomData<Arguments>);

/// An async function of one borrowed argument, whose future may borrow it.
pub trait AsyncFn1<'a, A: ?Sized + 'a>: Fn(&'a A) -> Self::Future {
    /// What the function returns.
    type Future: Future<Output = Self::Given> + Send + 'a;
    /// What its future gives.
    type Given;
}

impl<'a, A: ?Sized + 'a, F, Fut> AsyncFn1<'a, A> for F
where
    F: Fn(&'a A) -> Fut,
    Fut: Future + Send + 'a,
{
    type Future = Fut;
    type Given = Fut::Output;
}

/// An async function of two borrowed arguments, whose future may borrow them.
pub trait AsyncFn2<'a, A: ?Sized + 'a, B: ?Sized + 'a>: Fn(&'a A, &'a B) -> Self::Future {
    /// What the function returns.
    type Future: Future<Output = Self::Given> + Send + 'a;
    /// What its future gives.
    type Given;
}

impl<'a, A: ?Sized + 'a, B: ?Sized + 'a, F, Fut> AsyncFn2<'a, A, B> for F
where
    F: Fn(&'a A, &'a B) -> Fut,
    Fut: Future + Send + 'a,
{
    type Future = Fut;
    type Given = Fut::Output;
}

type CompletionFuture<'call> = BoxFuture<'call, std::result::Result<Completions, Error>>;

impl<F, R> CompletionSource<Form<false, fn(&str)>> for F
where
    F: Fn(&str) -> R + Sync,
    R: IntoCompletions + Send,
{
    fn complete<'call>(&'static self, request: &'call CompletionRequest<'call>) -> CompletionFuture<'call> {
        Box::pin(async move { self(request.value).into_completions() })
    }
}

impl<F, R> CompletionSource<Form<false, fn(&str, &Context)>> for F
where
    F: Fn(&str, &Context) -> R + Sync,
    R: IntoCompletions + Send,
{
    fn complete<'call>(&'static self, request: &'call CompletionRequest<'call>) -> CompletionFuture<'call> {
        Box::pin(async move { self(request.value, request.ctx).into_completions() })
    }
}

impl<F, R> CompletionSource<Form<false, fn(&CompletionRequest<'_>)>> for F
where
    F: Fn(&CompletionRequest<'_>) -> R + Sync,
    R: IntoCompletions + Send,
{
    fn complete<'call>(&'static self, request: &'call CompletionRequest<'call>) -> CompletionFuture<'call> {
        Box::pin(async move { self(request).into_completions() })
    }
}

impl<F> CompletionSource<Form<true, fn(&str)>> for F
where
    F: for<'a> AsyncFn1<'a, str, Given: IntoCompletions> + Sync,
{
    fn complete<'call>(&'static self, request: &'call CompletionRequest<'call>) -> CompletionFuture<'call> {
        Box::pin(async move { self(request.value).await.into_completions() })
    }
}

impl<F> CompletionSource<Form<true, fn(&str, &Context)>> for F
where
    F: for<'a> AsyncFn2<'a, str, Context, Given: IntoCompletions> + Sync,
{
    fn complete<'call>(&'static self, request: &'call CompletionRequest<'call>) -> CompletionFuture<'call> {
        Box::pin(async move { self(request.value, request.ctx).await.into_completions() })
    }
}

type ListFuture<'call> = BoxFuture<'call, std::result::Result<Vec<ResourceLink>, Error>>;

impl<F, R> ListSource<Form<false, fn()>> for F
where
    F: Fn() -> R + Sync,
    R: IntoResourceList,
{
    fn list<'call>(&'static self, _: &'call Context) -> ListFuture<'call> {
        Box::pin(async move { self().into_resource_list() })
    }
}

impl<F, R> ListSource<Form<false, fn(&Context)>> for F
where
    F: Fn(&Context) -> R + Sync,
    R: IntoResourceList,
{
    fn list<'call>(&'static self, ctx: &'call Context) -> ListFuture<'call> {
        Box::pin(async move { self(ctx).into_resource_list() })
    }
}

impl<F, Fut> ListSource<Form<true, fn()>> for F
where
    F: Fn() -> Fut + Sync,
    Fut: Future<Output: IntoResourceList> + Send,
{
    fn list<'call>(&'static self, _: &'call Context) -> ListFuture<'call> {
        Box::pin(async move { self().await.into_resource_list() })
    }
}

impl<F> ListSource<Form<true, fn(&Context)>> for F
where
    F: for<'a> AsyncFn1<'a, Context, Given: IntoResourceList> + Sync,
{
    fn list<'call>(&'static self, ctx: &'call Context) -> ListFuture<'call> {
        Box::pin(async move { self(ctx).await.into_resource_list() })
    }
}
