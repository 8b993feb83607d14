//! What each form of a completing function is called with.

use super::form::{AsyncFn1, AsyncFn2, AsyncFnWithState, Form};
use super::{CompletionRequest, CompletionSource, Completions, IntoCompletions};
use crate::context::Context;
use crate::parameter::{FromContext as _, State};
use crate::protocol::Error;
use crate::registry::BoxFuture;

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

impl<F, R, T> CompletionSource<Form<false, fn(&str, State<T>)>> for F
where
    F: Fn(&str, State<T>) -> R + Sync,
    R: IntoCompletions + Send,
    T: Send + Sync + 'static,
{
    fn complete<'call>(&'static self, request: &'call CompletionRequest<'call>) -> CompletionFuture<'call> {
        Box::pin(async move { self(request.value, State::from_context(request.ctx)?).into_completions() })
    }
}

impl<F, T> CompletionSource<Form<true, fn(&str, State<T>)>> for F
where
    F: for<'a> AsyncFnWithState<'a, T, Given: IntoCompletions> + Sync,
    T: Send + Sync + 'static,
{
    fn complete<'call>(&'static self, request: &'call CompletionRequest<'call>) -> CompletionFuture<'call> {
        Box::pin(async move {
            let state = State::from_context(request.ctx)?;
            self(request.value, state).await.into_completions()
        })
    }
}

impl<const N: usize> CompletionSource<[&'static str; N]> for [&'static str; N] {
    fn complete<'call>(&'static self, request: &'call CompletionRequest<'call>) -> CompletionFuture<'call> {
        Box::pin(async move { Ok(Completions::matching(request.value, self.iter().copied())) })
    }
}

impl CompletionSource<&'static [&'static str]> for &'static [&'static str] {
    fn complete<'call>(&'static self, request: &'call CompletionRequest<'call>) -> CompletionFuture<'call> {
        Box::pin(async move { Ok(Completions::matching(request.value, self.iter().copied())) })
    }
}
