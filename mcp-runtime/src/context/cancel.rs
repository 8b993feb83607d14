//! Telling spawned work that its call is over.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

use super::Context;

/// A flag that can be awaited.
#[derive(Default)]
pub(super) struct Cancel {
    set: AtomicBool,
    notify: Notify,
}

impl Cancel {
    pub(super) fn set(&self) {
        self.set.store(true, Ordering::Release);
        self.notify.notify_waiters();
    }

    pub(super) fn is_set(&self) -> bool {
        self.set.load(Ordering::Acquire)
    }

    pub(super) async fn wait(&self) {
        let notified = self.notify.notified();
        tokio::pin!(notified);
        // Registers before the flag is read, so that a cancellation in between is not missed.
        notified.as_mut().enable();
        if !self.is_set() {
            notified.await;
        }
    }
}

/// Cancels its call when it is dropped: the transport drops a call's future when the client is gone.
pub(crate) struct CancelOnDrop {
    ctx: Option<Context>,
}

impl CancelOnDrop {
    pub(super) fn new(ctx: Context) -> Self {
        Self { ctx: Some(ctx) }
    }

    /// The call was answered.
    pub(crate) fn disarm(mut self) {
        self.ctx = None;
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(ctx) = self.ctx.take() {
            ctx.outbox().close();
            ctx.flow().close();
            ctx.cancel();
        }
    }
}
