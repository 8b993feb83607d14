//! The forms that the author's functions can have, told apart by their parameters.

use std::future::Future;

use crate::parameter::State;

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

/// An async function of a borrowed text and a state, whose future may borrow the text.
pub trait AsyncFnWithState<'a, T>: Fn(&'a str, State<T>) -> Self::Future {
    /// What the function returns.
    type Future: Future<Output = Self::Given> + Send + 'a;
    /// What its future gives.
    type Given;
}

impl<'a, T, F, Fut> AsyncFnWithState<'a, T> for F
where
    F: Fn(&'a str, State<T>) -> Fut,
    Fut: Future + Send + 'a,
{
    type Future = Fut;
    type Given = Fut::Output;
}
