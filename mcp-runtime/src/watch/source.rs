//! The functions that `watch = ..` can name.

use std::future::Future;
use std::sync::Arc;
use std::task::{Context as Task, Poll};

use futures_core::Stream;

use crate::completion::Form;
use crate::parameter::State;
use crate::registry::BoxFuture;
use crate::server::Core;

pub(super) type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A function that `watch = ..` can name: it gives a stream of the changes of a resource, while somebody is subscribed.
///
/// It takes nothing or a `State<T>`, may be `async`, and returns a [`Stream`], or a `Result` of one. The items are `()`
/// for a resource with one address; for a template, the address that changed, as `String` or `&'static str`. An item may
/// be a `Result`, whose error ends the stream.
#[diagnostic::on_unimplemented(
    message = "this cannot be named by `watch`",
    label = "not a watching function",
    note = "write `fn name() -> impl Stream<Item = ()>`; for a template, the items are the addresses that changed: `Item = String`",
    note = "it may be `async`, take one `State<T>`, and return a `Result` of the stream; `Stream` is `mcp_runtime::Stream`, and has to be `Send`"
)]
pub trait WatchSource<Addresses, Via> {
    /// Starts watching.
    #[doc(hidden)]
    fn watch(&'static self, states: &States<'_>) -> Watching;
}

/// Of a resource whose address has no variables.
pub enum OneAddress {}

/// Of a template.
pub enum ManyAddresses {}

/// An item of the stream that a watching function gives.
pub trait Updated<Addresses> {
    /// The address that changed.
    #[doc(hidden)]
    fn address(self) -> Update;
}

impl Updated<OneAddress> for () {
    fn address(self) -> Update {
        Ok(None)
    }
}

impl Updated<ManyAddresses> for String {
    fn address(self) -> Update {
        Ok(Some(self.into()))
    }
}

impl Updated<ManyAddresses> for &'static str {
    fn address(self) -> Update {
        Ok(Some(self.into()))
    }
}

impl<A, T: Updated<A>, E: Into<BoxError>> Updated<A> for Result<T, E> {
    fn address(self) -> Update {
        self.map_err(Into::into)?.address()
    }
}

/// The states of a server.
pub struct States<'a>(pub(super) &'a Core);

impl States<'_> {
    fn get<T: Send + Sync + 'static>(&self) -> Result<State<T>, BoxError> {
        let missing = || format!("no state of type `{}` is registered", std::any::type_name::<T>());
        Ok(self.0.shared_state().map(State::shared).ok_or_else(missing)?)
    }
}

/// A watching function that has begun.
pub struct Watching(pub(super) BoxFuture<'static, Result<Updates, BoxError>>);

/// What a watching function returns.
pub trait IntoUpdates<Addresses, Via> {
    /// The changes, or why there are none.
    fn into_updates(self) -> Result<Updates, BoxError>;
}

/// The address that changed; none for the resource's own.
type Update = Result<Option<Arc<str>>, BoxError>;

/// Polls for the next one.
type NextUpdate = dyn FnMut(&mut Task<'_>) -> Poll<Option<Update>> + Send;

/// The changes of a resource.
pub struct Updates(Box<NextUpdate>);

impl Updates {
    pub(super) async fn next(&mut self) -> Option<Update> {
        std::future::poll_fn(&mut self.0).await
    }
}

/// The function returns the stream itself.
pub enum Plain {}

/// The function returns a `Result`.
pub enum Fallible {}

impl<A, S> IntoUpdates<A, Plain> for S
where
    S: Stream<Item: Updated<A>> + Send + 'static,
{
    fn into_updates(self) -> Result<Updates, BoxError> {
        let mut stream = Box::pin(self);
        let next =
            move |task: &mut Task<'_>| stream.as_mut().poll_next(task).map(|item| item.map(Updated::address));
        Ok(Updates(Box::new(next)))
    }
}

impl<A, S, E> IntoUpdates<A, Fallible> for Result<S, E>
where
    S: IntoUpdates<A, Plain>,
    E: Into<BoxError>,
{
    fn into_updates(self) -> Result<Updates, BoxError> {
        self.map_err(Into::into)?.into_updates()
    }
}

impl<A, F, R, Via> WatchSource<A, (Form<false, fn()>, Via)> for F
where
    F: Fn() -> R + Sync,
    R: IntoUpdates<A, Via>,
{
    fn watch(&'static self, _: &States<'_>) -> Watching {
        Watching(Box::pin(async move { self().into_updates() }))
    }
}

impl<A, F, Fut, Via> WatchSource<A, (Form<true, fn()>, Via)> for F
where
    F: Fn() -> Fut + Sync,
    Fut: Future<Output: IntoUpdates<A, Via>> + Send,
{
    fn watch(&'static self, _: &States<'_>) -> Watching {
        Watching(Box::pin(async move { self().await.into_updates() }))
    }
}

impl<A, F, R, T, Via> WatchSource<A, (Form<false, fn(State<T>)>, Via)> for F
where
    F: Fn(State<T>) -> R + Sync,
    R: IntoUpdates<A, Via>,
    T: Send + Sync + 'static,
{
    fn watch(&'static self, states: &States<'_>) -> Watching {
        let state = states.get();
        Watching(Box::pin(async move { self(state?).into_updates() }))
    }
}

impl<A, F, Fut, T, Via> WatchSource<A, (Form<true, fn(State<T>)>, Via)> for F
where
    F: Fn(State<T>) -> Fut + Sync,
    Fut: Future<Output: IntoUpdates<A, Via>> + Send,
    T: Send + Sync + 'static,
{
    fn watch(&'static self, states: &States<'_>) -> Watching {
        let state = states.get();
        Watching(Box::pin(async move { self(state?).await.into_updates() }))
    }
}
