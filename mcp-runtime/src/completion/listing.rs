//! Listing the resources that a template stands for.

use std::future::Future;

use super::form::{AsyncFn1, Form};
use super::into_protocol_error;
use crate::context::Context;
use crate::parameter::{FromContext as _, State};
use crate::protocol::{Error, ResourceLink, Result};
use crate::registry::BoxFuture;

/// A function that `list = ..` can name: it lists the resources that a template stands for.
///
/// It takes nothing, `&Context` or a `State<T>`, may be `async`, and returns addresses or [`ResourceLink`]s, or a `Result`
/// of them.
#[diagnostic::on_unimplemented(
    message = "this cannot be named by `list`",
    label = "not a listing function",
    note = "write `fn name(ctx: &Context) -> Vec<ResourceLink>`, `async` if you need, with `State<T>` in place of `ctx` or with neither"
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

impl<F, R, T> ListSource<Form<false, fn(State<T>)>> for F
where
    F: Fn(State<T>) -> R + Sync,
    R: IntoResourceList,
    T: Send + Sync + 'static,
{
    fn list<'call>(&'static self, ctx: &'call Context) -> ListFuture<'call> {
        Box::pin(async move { self(State::from_context(ctx)?).into_resource_list() })
    }
}

impl<F, Fut, T> ListSource<Form<true, fn(State<T>)>> for F
where
    F: Fn(State<T>) -> Fut + Sync,
    Fut: Future<Output: IntoResourceList> + Send,
    T: Send + Sync + 'static,
{
    fn list<'call>(&'static self, ctx: &'call Context) -> ListFuture<'call> {
        Box::pin(async move { self(State::from_context(ctx)?).await.into_resource_list() })
    }
}
