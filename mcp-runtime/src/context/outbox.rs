//! Notifications of one request, on their way to its own stream.
//!
//! "Notifications that relate to an in-flight request" travel with it on every transport: the transport polls
//! the outbox beside the call, so nothing is spawned and no channel is made for a call that says nothing.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context as Task, Poll, Waker};
use std::time::Instant;

use super::erased::Data;
use super::progress::Progress;
use crate::output::on_one_line;
use crate::protocol::LogLevel;

/// Log messages that may wait for a slow client; more are counted and dropped.
const LOG_LIMIT: usize = 1024;

/// Whether notifications can reach the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outgoing {
    /// The transport carries them.
    Open,
    /// The client takes one JSON answer and nothing else.
    #[cfg_attr(not(feature = "http"), allow(dead_code, reason = "only an HTTP client can ask for it"))]
    Discarded,
}

/// The notifications of one request that wait to be sent.
pub(crate) struct Outbox {
    state: Mutex<State>,
}

struct State {
    open: bool,
    queue: VecDeque<Vec<u8>>,
    waker: Option<Waker>,
    progress: Progress,
    dropped_logs: usize,
}

impl Outbox {
    pub(super) fn new(outgoing: Outgoing) -> Self {
        let state = State {
            open: outgoing == Outgoing::Open,
            queue: VecDeque::new(),
            waker: None,
            progress: Progress::new(),
            dropped_logs: 0,
        };
        Self { state: Mutex::new(state) }
    }

    /// "The `progress` value MUST increase with each notification." (basic/patterns/progress)
    pub(super) fn progress(&self, token: &str, progress: f64, total: Option<f64>, message: &str) {
        let mut state = self.lock();
        if !state.open {
            return;
        }
        let Some(line) = state.progress.advance(token, progress, total, message) else { return };
        if state.progress.take_allowance(Instant::now()) {
            state.progress.held = None;
            state.push(line);
        } else {
            state.progress.held = Some(line);
            state.wake();
        }
    }

    /// Remembers what is said from here on for [`Outbox::beat`].
    pub(super) fn repeat_progress(&self) {
        self.lock().progress.repeat();
    }

    /// A sign of life: the last progress once more, with a value that is a trace greater. Nothing where it cannot
    /// reach the client, or where there is something to send that it would overtake.
    pub(super) fn beat(&self, token: &str) -> Option<Vec<u8>> {
        let mut state = self.lock();
        let is_due = state.open && state.queue.is_empty() && state.progress.held.is_none();
        if is_due { state.progress.beat(token) } else { None }
    }

    pub(super) fn log(&self, level: LogLevel, logger: Option<&str>, data: &dyn Data) {
        if !self.lock().open {
            return;
        }
        // Outside the lock: serializing runs the author's code, and what that logs comes here as well.
        let line = match log_notification(level, logger, data) {
            Ok(line) => line,
            Err(error) => return tracing::warn!("a log message could not be serialized: {error}"),
        };
        let mut state = self.lock();
        if state.queue.len() >= LOG_LIMIT {
            state.dropped_logs += 1;
        } else if state.open {
            state.push(line);
        }
    }

    /// The next notification; registers the task for the one after it.
    ///
    /// Progress that is being held back is ready at [`Outbox::held_until`].
    pub(crate) fn poll_next(&self, task: &mut Task<'_>) -> Poll<Vec<u8>> {
        let mut state = self.lock();
        state.release_held(Instant::now());
        if let Some(line) = state.queue.pop_front() {
            return Poll::Ready(line);
        }
        match &mut state.waker {
            Some(waker) => waker.clone_from(task.waker()),
            None => state.waker = Some(task.waker().clone()),
        }
        Poll::Pending
    }

    /// When the progress that is held back may go out.
    pub(crate) fn held_until(&self) -> Option<Instant> {
        self.lock().progress.held_until()
    }

    /// What is left, at the end of the call. "Progress notifications MUST stop after completion."
    pub(crate) fn close(&self) -> VecDeque<Vec<u8>> {
        let mut state = self.lock();
        state.open = false;
        if let Some(line) = state.progress.held.take() {
            state.queue.push_back(line);
        }
        let rest = std::mem::take(&mut state.queue);
        let dropped = std::mem::take(&mut state.dropped_logs);
        drop(state);
        if dropped > 0 {
            tracing::warn!("{dropped} log messages were dropped: the client reads too slowly");
        }
        rest
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn push(&mut self, line: Vec<u8>) {
        self.queue.push_back(line);
        self.wake();
    }

    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    fn release_held(&mut self, now: Instant) {
        if self.progress.held.is_some() && self.progress.take_allowance(now) {
            let line = self.progress.held.take().expect("it was just seen");
            self.queue.push_back(line);
        }
    }
}

fn log_notification(
    level: LogLevel,
    logger: Option<&str>,
    data: &dyn Data,
) -> Result<Vec<u8>, serde_json::Error> {
    let mut line = br#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"#.to_vec();
    serde_json::to_writer(&mut line, &level)?;
    if let Some(logger) = logger {
        line.extend_from_slice(br#","logger":"#);
        serde_json::to_writer(&mut line, logger)?;
    }
    line.extend_from_slice(br#","data":"#);
    data.write_json(&mut line)?;
    line.extend_from_slice(b"}}");
    Ok(on_one_line(line))
}

#[cfg(test)]
mod tests;
