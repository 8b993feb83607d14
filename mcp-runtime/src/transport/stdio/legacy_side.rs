//! The session of a client of an older revision, and what it is told beside its answers.

use std::future::poll_fn;
use std::sync::Arc;

use tokio::task::AbortHandle;

use super::outbound::Outbound;
use crate::legacy;

/// A session on this pair of streams. "An `initialize` request selects legacy semantics, scoped to the stdio process"
/// (basic/versioning).
pub(super) struct LegacySide {
    session: Arc<legacy::Session>,
    telling: AbortHandle,
}

impl LegacySide {
    pub(super) fn new(session: Arc<legacy::Session>, outbound: Arc<Outbound>) -> Self {
        let telling = tokio::spawn(tell(Arc::clone(&session), outbound)).abort_handle();
        Self { session, telling }
    }

    pub(super) fn session(&self) -> &Arc<legacy::Session> {
        &self.session
    }
}

impl Drop for LegacySide {
    fn drop(&mut self) {
        self.telling.abort();
    }
}

/// Sends what belongs to no request. A change is taken only when there is room for it, so that a client that does not
/// read is told once of what changed meanwhile.
async fn tell(session: Arc<legacy::Session>, outbound: Arc<Outbound>) {
    loop {
        outbound.room().await;
        let Some(line) = poll_fn(|task| session.poll_message(task)).await else { return };
        outbound.push(line);
    }
}
