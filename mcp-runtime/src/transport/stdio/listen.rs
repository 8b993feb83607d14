//! Subscriptions on the channel that everything shares (basic/patterns/subscriptions).

use std::future::poll_fn;
use std::task::Poll;

use super::flight::Flight;
use super::outbound::{BEHIND, Outbound};
use crate::dispatch::{Event, Exchange};

impl Flight {
    /// A change is only taken when the client keeps up, so that what it has not heard of yet stays one change.
    pub(super) async fn listen(self, mut exchange: Exchange) {
        loop {
            let event = poll_fn(|task| {
                if self.outbound.is_calm() { exchange.poll_event(task).map(Some) } else { Poll::Ready(None) }
            });
            match event.await {
                None => self.outbound.calm().await,
                Some(Event::Notification(bytes)) => self.outbound.notify(&self.id, self.serial, bytes).await,
                Some(Event::Reply(reply)) => {
                    let last = torn_down(&self.id, &reply.bytes);
                    return self.outbound.answer(&self.id, self.serial, last).await;
                }
            }
        }
    }
}

/// The two messages that end a subscription, in one piece.
///
/// "A server MUST send `notifications/cancelled` referencing a `subscriptions/listen` request ID when it tears down that
/// subscription stream" (basic/patterns/cancellation), and "SHOULD respond to the original `subscriptions/listen` request
/// with a completion result" (Graceful Closure).
fn torn_down(id: &str, result: &[u8]) -> Vec<u8> {
    let reason = "The server ends the subscription";
    let cancelled = format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":"{reason}"}}}}"#
    );
    [cancelled.as_bytes(), result].join(&b'\n')
}

impl Outbound {
    /// Whether the client has read nearly all there was for it.
    pub(super) fn is_calm(&self) -> bool {
        self.waiting() < BEHIND
    }

    /// Completes when it has.
    pub(super) async fn calm(&self) {
        loop {
            let calm = self.calm.notified();
            tokio::pin!(calm);
            calm.as_mut().enable();
            if self.is_calm() {
                return;
            }
            calm.await;
        }
    }
}
