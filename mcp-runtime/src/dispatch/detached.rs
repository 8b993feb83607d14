//! Calls whose client is gone, and that go on because their handlers said so.

use std::future::{Future, poll_fn};
use std::ops::{Deref, DerefMut};
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use tokio::runtime::Handle;
use tokio::task::JoinSet;

use super::{Exchange, Reply};
use crate::context::Context;
use crate::input::Demand;
use crate::protocol::Error;

/// A request whose client may go away, which is when this is dropped; with what is held for as long as it runs.
///
/// "The server MUST treat a client disconnect as cancellation of that request" (basic/patterns/cancellation,
/// Transport-Specific Cancellation): nothing is sent for it any more. "Servers MAY ignore cancellation notifications if
/// […] the request cannot be cancelled", which is what [`Context::detach`] says of its work.
pub(crate) struct Attended<T: Send + 'static>(Option<(Exchange, T)>);

impl<T: Send + 'static> Attended<T> {
    pub(crate) fn new(exchange: Exchange, held: T) -> Self {
        Self(Some((exchange, held)))
    }
}

impl<T: Send + 'static> Deref for Attended<T> {
    type Target = Exchange;

    fn deref(&self) -> &Exchange {
        &self.0.as_ref().expect("it is here until it is dropped").0
    }
}

impl<T: Send + 'static> DerefMut for Attended<T> {
    fn deref_mut(&mut self) -> &mut Exchange {
        &mut self.0.as_mut().expect("it is here until it is dropped").0
    }
}

impl<T: Send + 'static> Drop for Attended<T> {
    fn drop(&mut self) {
        if let Some((exchange, held)) = self.0.take() {
            exchange.abandon(held);
        }
    }
}

/// The calls of one server that go on without their clients, each in a task that is made when its client goes.
#[derive(Default)]
pub(crate) struct Detached(Mutex<State>);

#[derive(Default)]
struct State {
    tasks: JoinSet<()>,
    /// The server has stopped: what is detached from here on is cancelled.
    is_over: bool,
}

impl Detached {
    /// Runs a call to its end, which its timeout bounds; `held` is given back then.
    pub(super) fn go_on(
        &self,
        ctx: Context,
        work: Pin<Box<dyn Future<Output = Reply> + Send>>,
        held: impl Send + 'static,
    ) {
        let Ok(runtime) = Handle::try_current() else { return };
        let run = async move {
            let reply = finished(&ctx, work).await;
            if reply.is_suspended {
                tracing::debug!("request {} ends: it asks, and its client is gone", ctx.request_id());
            }
            drop(held);
        };
        let mut state = self.lock();
        if !state.is_over {
            while state.tasks.try_join_next().is_some() {}
            state.tasks.spawn_on(run, &runtime);
        }
    }

    /// Completes when none is left.
    #[cfg(feature = "http")]
    pub(crate) async fn idle(&self) {
        while poll_fn(|task| self.lock().tasks.poll_join_next(task)).await.is_some() {}
    }

    /// Cancels those that are left, and all that follow; says how many there were.
    #[cfg(feature = "http")]
    pub(crate) fn end(&self) -> usize {
        let tasks = {
            let mut state = self.lock();
            state.is_over = true;
            std::mem::take(&mut state.tasks)
        };
        tasks.len()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end of a call that nobody listens to: what it asks of a session's client is refused.
async fn finished(ctx: &Context, mut work: Pin<Box<dyn Future<Output = Reply> + Send>>) -> Reply {
    poll_fn(|task| {
        if let Poll::Ready(reply) = work.as_mut().poll(task) {
            return Poll::Ready(reply);
        }
        while let Poll::Ready(demand) = ctx.flow().poll_demand(task) {
            if let Demand::Ask { key, .. } = demand {
                ctx.flow().answer_live(&key, Err(Error::internal("The client is gone, and cannot be asked")));
            }
        }
        Poll::Pending
    })
    .await
}
