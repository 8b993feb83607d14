//! An answer as a stream of server-sent events (Receiving Messages).

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use tokio::time::{Instant, Sleep};

use super::flight::Permit;
use crate::dispatch::{Attended, Event};

/// Silence after which a comment tells everyone on the way that the stream is alive.
pub(super) const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// "Any line beginning with a colon is a comment that carries no event data."
pub(crate) const COMMENT: Bytes = Bytes::from_static(b":\n\n");

/// The events of one request, which runs in here: "closing the SSE response stream MUST be treated by the
/// server as cancellation of that request" (Cancellation) by way of dropping it, unless its handler has detached it.
pub(super) struct EventStream {
    next: Option<Bytes>,
    running: Option<Attended<Option<Permit>>>,
    keep_alive: KeepAlive,
}

/// Comments in the silence of a stream.
#[derive(Default)]
pub(crate) struct KeepAlive(Option<Pin<Box<Sleep>>>);

impl KeepAlive {
    /// The stream said something.
    pub(crate) fn reset(&mut self) {
        self.0 = None;
    }

    /// Ready when it is time for a comment.
    pub(crate) fn poll(&mut self, task: &mut Context<'_>) -> Poll<Bytes> {
        let sleep = self.0.get_or_insert_with(|| Box::pin(tokio::time::sleep(KEEP_ALIVE)));
        std::task::ready!(sleep.as_mut().poll(task));
        sleep.as_mut().reset(Instant::now() + KEEP_ALIVE);
        Poll::Ready(COMMENT)
    }
}

impl EventStream {
    /// A stream that begins with a notification, or with a comment where silence was what made it a stream.
    pub(super) fn new(exchange: Attended<Option<Permit>>, notification: Option<Vec<u8>>) -> Self {
        let next = notification.map_or(COMMENT, |line| event(&line));
        Self { next: Some(next), running: Some(exchange), keep_alive: KeepAlive::default() }
    }

    pub(super) fn is_over(&self) -> bool {
        self.next.is_none() && self.running.is_none()
    }

    pub(super) fn poll_bytes(&mut self, task: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Some(bytes) = self.next.take() {
            return Poll::Ready(Some(bytes));
        }
        let Some(exchange) = &mut self.running else { return Poll::Ready(None) };
        match exchange.poll_event(task) {
            Poll::Ready(Event::Notification(line)) => {
                self.keep_alive.reset();
                Poll::Ready(Some(event(&line)))
            }
            // "The final JSON-RPC response SHOULD terminate the stream."
            Poll::Ready(Event::Reply(reply)) => {
                self.running = None;
                self.keep_alive.reset();
                Poll::Ready(Some(event(&reply.bytes)))
            }
            Poll::Pending => self.keep_alive.poll(task).map(Some),
        }
    }
}

/// One message as one event. Its data is one line, since every message is.
pub(crate) fn event(json: &[u8]) -> Bytes {
    const START: &[u8] = b"event: message\ndata: ";
    const END: &[u8] = b"\n\n";
    let mut bytes = Vec::with_capacity(START.len() + json.len() + END.len());
    bytes.extend_from_slice(START);
    bytes.extend_from_slice(json);
    bytes.extend_from_slice(END);
    bytes.into()
}
