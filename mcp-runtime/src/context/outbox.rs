//! Notifications of one request, on their way to its own stream.
//!
//! "Notifications that relate to an in-flight request" travel with it on every transport: the transport polls
//! the outbox beside the call, so nothing is spawned and no channel is made for a call that says nothing.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context as Task, Poll, Waker};
use std::time::{Duration, Instant};

use serde_json::json;

use super::erased::Data;
use crate::output::on_one_line;
use crate::protocol::LogLevel;

/// A burst of progress that is passed on as it comes.
const PROGRESS_BURST: f64 = 20.0;
/// Progress notifications a second after the burst.
const PROGRESS_RATE: f64 = 20.0;
/// How much a heartbeat adds to the progress.
const TRACE: f64 = 1e-9;
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

/// What the author said last beside the value.
#[derive(Default)]
struct Repeated {
    total: Option<f64>,
    message: String,
}

struct Progress {
    /// The author's last value.
    last: f64,
    /// The last value on its way to the client, which heartbeats carry beyond the author's.
    shown: f64,
    /// What heartbeats repeat, where there are any.
    repeated: Option<Repeated>,
    held: Option<Vec<u8>>,
    allowance: f64,
    refilled: Option<Instant>,
}

impl Outbox {
    pub(super) fn new(outgoing: Outgoing) -> Self {
        let progress = Progress {
            last: f64::NEG_INFINITY,
            shown: f64::NEG_INFINITY,
            repeated: None,
            held: None,
            allowance: PROGRESS_BURST,
            refilled: None,
        };
        let state = State {
            open: outgoing == Outgoing::Open,
            queue: VecDeque::new(),
            waker: None,
            progress,
            dropped_logs: 0,
        };
        Self { state: Mutex::new(state) }
    }

    /// "The `progress` value MUST increase with each notification." (basic/patterns/progress)
    pub(super) fn progress(&self, token: &str, progress: f64, total: Option<f64>, message: &str) {
        let mut state = self.lock();
        if !state.open || !progress.is_finite() || progress <= state.progress.last {
            return;
        }
        let Some(shown) = state.progress.advance(progress) else { return };
        if let Some(repeated) = &mut state.progress.repeated {
            *repeated = Repeated { total, message: message.to_owned() };
        }
        let line = progress_notification(token, shown, total, message);
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
        self.lock().progress.repeated = Some(Repeated::default());
    }

    /// A sign of life: the last progress once more, with a value that is a trace greater. Nothing where it cannot
    /// reach the client, or where progress that is held back is a sign itself.
    pub(super) fn beat(&self, token: &str) -> Option<Vec<u8>> {
        let mut state = self.lock();
        if !state.open || state.progress.held.is_some() {
            return None;
        }
        let shown = state.progress.above_shown()?;
        state.progress.shown = shown;
        let Repeated { total, message } = state.progress.repeated.as_ref()?;
        Some(progress_notification(token, shown, *total, message))
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
        let state = self.lock();
        state.progress.held.as_ref()?;
        let wait = (1.0 - state.progress.allowance).max(0.0) / PROGRESS_RATE;
        Some(state.progress.refilled? + Duration::from_secs_f64(wait))
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

impl Progress {
    /// Takes a value of the author's that has grown; gives the one that the client is shown. They are the same, unless
    /// heartbeats have gone beyond it already.
    fn advance(&mut self, progress: f64) -> Option<f64> {
        let shown = if progress > self.shown { progress } else { self.above_shown()? };
        (self.last, self.shown) = (progress, shown);
        Some(shown)
    }

    /// The value of a heartbeat: greater than every value before it, and by so little that the author's next one is
    /// almost always greater still. The first one of a call that has said nothing is zero.
    fn above_shown(&self) -> Option<f64> {
        if self.shown == f64::NEG_INFINITY {
            return Some(0.0);
        }
        Some((self.shown + TRACE).max(self.shown.next_up())).filter(|value| value.is_finite())
    }

    /// A token bucket: `PROGRESS_BURST` at once, `PROGRESS_RATE` a second.
    fn take_allowance(&mut self, now: Instant) -> bool {
        if let Some(before) = self.refilled {
            let earned = now.saturating_duration_since(before).as_secs_f64() * PROGRESS_RATE;
            self.allowance = (self.allowance + earned).min(PROGRESS_BURST);
        }
        self.refilled = Some(now);
        if self.allowance < 1.0 {
            return false;
        }
        self.allowance -= 1.0;
        true
    }
}

fn progress_notification(token: &str, progress: f64, total: Option<f64>, message: &str) -> Vec<u8> {
    let mut line =
        br#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"#.to_vec();
    line.extend_from_slice(token.as_bytes());
    line.extend_from_slice(br#","progress":"#);
    line.extend_from_slice(number(progress).to_string().as_bytes());
    if let Some(total) = total.filter(|total| total.is_finite()) {
        line.extend_from_slice(br#","total":"#);
        line.extend_from_slice(number(total).to_string().as_bytes());
    }
    if !message.is_empty() {
        line.extend_from_slice(br#","message":"#);
        line.extend_from_slice(json!(message).to_string().as_bytes());
    }
    line.extend_from_slice(b"}}");
    on_one_line(line)
}

/// `50.0` is written as `50`, as a person would write it.
#[allow(clippy::cast_possible_truncation, reason = "guarded by the comparison")]
fn number(value: f64) -> serde_json::Value {
    let whole = value as i64;
    #[allow(clippy::cast_precision_loss, clippy::float_cmp, reason = "exactly equal is what is asked")]
    if whole as f64 == value && whole.unsigned_abs() < 1 << 53 { json!(whole) } else { json!(value) }
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
