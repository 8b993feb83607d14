//! The messages of one stream, kept for a client that comes back for them.

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context as Task, Poll};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::buffer::{Kind, Leave, Serial, State};

/// The longest that a call waits for a client that is there and does not read; then it counts as gone.
pub(super) const STALL: Duration = Duration::from_secs(10);

/// The messages of one stream: numbered from 1 on, in order, and kept after they are sent as far as there is room.
///
/// What calls give comes in at one end, and leaves at the other by the one connection that there is at a time.
pub(super) struct Stream {
    pub(super) number: u64,
    state: Mutex<State>,
    /// There is room again, or nobody to wait for.
    room: Notify,
}

/// What a connection gets.
#[derive(Debug, PartialEq)]
pub(super) enum Next {
    Message {
        position: u64,
        line: Bytes,
        is_last: bool,
    },
    /// The client is to come back for the rest after this time.
    Retry(Duration),
    /// The stream is over, or another connection has taken it.
    End,
}

impl Stream {
    /// A stream that is never resumed, so that what is taken is forgotten.
    pub(super) fn of_line() -> Arc<Self> {
        let mut state = State::new(1, &Arc::default());
        state.forgets = true;
        Arc::new(Self { number: 0, state: Mutex::new(state), room: Notify::new() })
    }

    /// A stream that ends when this many calls are answered.
    pub(super) fn new(number: u64, calls: usize, session_bytes: &Arc<AtomicUsize>) -> Arc<Self> {
        let state = Mutex::new(State::new(calls, session_bytes));
        Arc::new(Self { number, state, room: Notify::new() })
    }

    /// Waits for a client that is there and reads more slowly than calls speak. One that does not read at all counts as
    /// gone after [`STALL`].
    pub(super) async fn room(&self) {
        if self.lock().is_full() && tokio::time::timeout(STALL, self.has_room()).await.is_err() {
            tracing::debug!("a connection is given up: its client has read nothing for {STALL:?}");
            self.disconnect_any();
        }
    }

    pub(super) fn is_connected(&self) -> bool {
        self.lock().connection.is_some()
    }

    /// Whether nothing was said yet.
    pub(super) fn is_silent(&self) -> bool {
        self.lock().kept.is_empty()
    }

    /// Takes a message.
    pub(super) fn push(&self, line: Vec<u8>) {
        let is_question = line.starts_with(br#"{"jsonrpc":"2.0","id":"#);
        self.keep(line, if is_question { Kind::Question } else { Kind::Notification }, 0);
    }

    /// Takes the answer of a call.
    pub(super) fn answer(&self, line: Vec<u8>) {
        self.keep(line, Kind::Answer, 1);
    }

    fn keep(&self, line: Vec<u8>, kind: Kind, answered: usize) {
        let mut state = self.lock();
        state.push(line.into(), kind);
        state.answered(answered);
        state.give_up_some();
        wake(state);
    }

    /// One more call will answer here.
    pub(super) fn expect_answer(&self) {
        self.lock().unanswered += 1;
    }

    /// One call less will answer here: it was cancelled.
    pub(super) fn expect_less(&self) {
        let mut state = self.lock();
        state.answered(1);
        wake(state);
    }

    /// Nobody will answer here any more.
    pub(super) fn end(&self) {
        let mut state = self.lock();
        state.answered(usize::MAX);
        wake(state);
        self.room.notify_waiters();
    }

    /// Lets the client go, if there is one, who comes back after this time.
    pub(super) fn release(&self, retry: Duration) {
        let mut state = self.lock();
        if state.connection.is_some() {
            state.leave = Some(Leave { retry, before: state.next });
            wake(state);
        }
    }

    /// A connection that takes what follows a position, in place of the one before.
    pub(super) fn connect(&self, after: u64) -> Serial {
        let mut state = self.lock();
        state.last_connection += 1;
        state.connection = Some(state.last_connection);
        state.taken = after + 1;
        state.leave = None;
        let serial = state.last_connection;
        wake(state);
        self.room.notify_waiters();
        serial
    }

    /// A connection that takes what comes from here on, in place of the one before; and a position for its first event.
    pub(super) fn connect_afresh(&self) -> (Serial, u64) {
        let position = {
            let mut state = self.lock();
            state.next += 1;
            state.next - 1
        };
        (self.connect(position), position)
    }

    /// The connection is gone.
    pub(super) fn disconnect(&self, serial: Serial) {
        let mut state = self.lock();
        if state.connection == Some(serial) {
            state.connection = None;
            state.give_up_some();
            self.room.notify_waiters();
        }
    }

    fn disconnect_any(&self) {
        let mut state = self.lock();
        state.connection = None;
        wake(state);
        self.room.notify_waiters();
    }

    /// What a connection gets next.
    pub(super) fn poll_next(&self, task: &mut Task<'_>, serial: Serial) -> Poll<Next> {
        let mut state = self.lock();
        if state.connection != Some(serial) {
            return Poll::Ready(Next::End);
        }
        let taken = state.taken;
        // Before what came after: a call that goes on talking lets its client go all the same.
        if let Some(Leave { retry, .. }) = state.leave.take_if(|leave| taken >= leave.before) {
            state.connection = None;
            return Poll::Ready(Next::Retry(retry));
        }
        if let Some((position, line)) = state.take() {
            let is_last = state.is_over() && state.leave.is_none() && state.first_untaken().is_none();
            if is_last {
                state.connection = None;
            }
            self.room.notify_waiters();
            return Poll::Ready(Next::Message { position, line, is_last });
        }
        if state.is_over() {
            state.connection = None;
            return Poll::Ready(Next::End);
        }
        state.register(task);
        Poll::Pending
    }

    /// Ready when there is anything to say, or the client is to go, or the stream is over.
    pub(super) fn poll_opening(&self, task: &mut Task<'_>) -> Poll<()> {
        let mut state = self.lock();
        if !state.kept.is_empty() || state.leave.is_some() {
            return Poll::Ready(());
        }
        state.poll_over(task)
    }

    /// Ready when the stream is over.
    pub(super) fn poll_over(&self, task: &mut Task<'_>) -> Poll<()> {
        self.lock().poll_over(task)
    }

    /// The answer of a stream that is over and said nothing else.
    pub(super) fn only_answer(&self) -> Option<Bytes> {
        let state = self.lock();
        let mut kept = state.kept.iter();
        let only = kept.next().filter(|kept| kept.kind == Kind::Answer)?.line.clone();
        (state.is_over() && kept.next().is_none() && state.next == 2).then_some(only)
    }

    /// The answers so far.
    pub(super) fn answers(&self) -> Vec<Bytes> {
        let state = self.lock();
        let answers = state.kept.iter().filter(|kept| kept.kind == Kind::Answer);
        answers.map(|kept| kept.line.clone()).collect()
    }

    /// Whether there was or will be anything after a position; nothing for a position that was never given out.
    pub(super) fn goes_on_after(&self, position: u64) -> Option<bool> {
        let state = self.lock();
        let last = state.kept.back().map_or(0, |kept| kept.position);
        (position < state.next).then(|| !state.is_over() || last > position)
    }

    /// When it was over, if it is; and whether all of it was taken.
    pub(super) fn ended(&self) -> Option<(Instant, bool)> {
        let state = self.lock();
        let is_free = state.connection.is_none();
        state.ended.filter(|_| is_free).map(|ended| (ended, state.taken >= state.next))
    }

    async fn has_room(&self) {
        loop {
            let mut notified = std::pin::pin!(self.room.notified());
            // Before the look, so that no room is missed that is made in between.
            notified.as_mut().enable();
            if !self.lock().is_full() {
                return;
            }
            notified.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Wakes who reads, once the lock is given back.
fn wake(mut state: MutexGuard<'_, State>) {
    let waker = state.waker.take();
    drop(state);
    if let Some(waker) = waker {
        waker.wake();
    }
}
