//! Signs of life of a call that says nothing.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context as Task, Poll, ready};

use tokio::time::{Instant, Sleep};

use crate::context::Context;

/// The timer of a call with a `heartbeat`, which runs in the call's own future.
///
/// "Implementations MAY choose to reset the timeout clock when receiving a progress notification corresponding to the
/// request, as this implies that work is actually happening." (basic/patterns/cancellation, Timeouts) Many clients do,
/// and give up a call after a minute without one.
///
/// It goes on while a client of an older revision is asked for input: the clock of its call goes on, too.
#[derive(Default)]
pub(super) struct Heartbeat(Option<Pin<Box<Sleep>>>);

impl Heartbeat {
    /// The call said something.
    pub(super) fn reset(&mut self) {
        self.0 = None;
    }

    /// The next sign of life, when the call was silent for long enough.
    pub(super) fn poll(&mut self, ctx: &Context, task: &mut Task<'_>) -> Poll<Vec<u8>> {
        let Some(silence) = ctx.heartbeat() else { return Poll::Pending };
        let sleep = self.0.get_or_insert_with(|| Box::pin(tokio::time::sleep(silence)));
        loop {
            ready!(sleep.as_mut().poll(task));
            sleep.as_mut().reset(Instant::now() + silence);
            if let Some(line) = ctx.beat() {
                return Poll::Ready(line);
            }
        }
    }
}
