//! What waits to be written, and which requests may still write: one lock for both, so that nothing is sent
//! for a request once its cancellation was seen.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::task::AbortHandle;

use crate::context::Context;

/// While this much waits to be written, no request is started and no message is accepted.
pub(super) const FULL: usize = 1024 * 1024;
/// Small messages are written together, up to this much at once.
const CHUNK: usize = 64 * 1024;
/// While this much waits to be written, no subscription takes a change: those that are alike become one.
pub(super) const BEHIND: usize = CHUNK;

/// Identifies one request in flight; its id may be used again after it.
pub(super) type Serial = u64;

/// The messages that belong to no request in flight.
const UNBOUND: Serial = 0;

/// Everything on its way to the client.
#[derive(Default)]
pub(super) struct Outbound {
    state: Mutex<State>,
    /// For the writer: there is something to write, or nothing ever again.
    ready: Notify,
    /// For everyone that has something to write: there is room, or it is of no use any more.
    room: Notify,
    /// For subscriptions: the client keeps up, or it is of no use any more.
    pub(super) calm: Notify,
    /// For the one that waits for the end: no request is in flight.
    idle: Notify,
}

#[derive(Default)]
struct State {
    queue: VecDeque<(Serial, Vec<u8>)>,
    /// Bytes in the queue and in the writer's hands.
    waiting: usize,
    flights: HashMap<Box<str>, Flight>,
    /// How many of them are subscriptions.
    subscriptions: usize,
    last_serial: Serial,
    finished: bool,
    /// Nobody reads any more.
    is_left: bool,
}

struct Flight {
    serial: Serial,
    is_subscription: bool,
    /// Of one that its handler may have detached from its client.
    ctx: Option<Context>,
    task: Option<AbortHandle>,
}

impl State {
    fn is_in_flight(&self, id: &str, serial: Serial) -> bool {
        self.flights.get(id).is_some_and(|flight| flight.serial == serial)
    }

    fn push(&mut self, serial: Serial, line: Vec<u8>) {
        self.waiting += line.len();
        self.queue.push_back((serial, line));
    }
}

impl Outbound {
    /// Whether the writer keeps up.
    pub(super) fn has_room(&self) -> bool {
        self.waiting() < FULL
    }

    /// How many bytes wait to be written.
    pub(super) fn waiting(&self) -> usize {
        self.lock().waiting
    }

    /// Completes when the writer has caught up.
    pub(super) async fn room(&self) {
        loop {
            let room = self.room.notified();
            tokio::pin!(room);
            room.as_mut().enable();
            if self.has_room() {
                return;
            }
            room.await;
        }
    }

    /// Queues a message that belongs to no request in flight, whether there is room or not.
    pub(super) fn push(&self, message: Vec<u8>) {
        self.lock().push(UNBOUND, into_line(message));
        self.ready.notify_one();
    }

    /// Registers a request.
    pub(super) fn take_off(&self, id: &str, is_subscription: bool, ctx: Option<Context>) -> Serial {
        let mut state = self.lock();
        state.last_serial += 1;
        let serial = state.last_serial;
        state.flights.insert(id.into(), Flight { serial, is_subscription, ctx, task: None });
        state.subscriptions += usize::from(is_subscription);
        serial
    }

    /// Notes which task is to be aborted when the request is cancelled.
    pub(super) fn set_task(&self, id: &str, serial: Serial, task: AbortHandle) {
        let mut state = self.lock();
        if let Some(flight) = state.flights.get_mut(id).filter(|flight| flight.serial == serial) {
            flight.task = Some(task);
        }
    }

    /// Queues a notification of a request, when there is room. Dropped if the request was cancelled.
    pub(super) async fn notify(&self, id: &str, serial: Serial, message: Vec<u8>) {
        self.deliver(id, serial, message, false).await;
    }

    /// Queues the answer of a request, when there is room, and ends it. Dropped if it was cancelled.
    pub(super) async fn answer(&self, id: &str, serial: Serial, message: Vec<u8>) {
        self.deliver(id, serial, message, true).await;
    }

    async fn deliver(&self, id: &str, serial: Serial, message: Vec<u8>, is_last: bool) {
        let line = into_line(message);
        loop {
            let room = self.room.notified();
            tokio::pin!(room);
            room.as_mut().enable();
            {
                let mut state = self.lock();
                if !state.is_in_flight(id, serial) {
                    return;
                }
                if state.is_left || state.waiting < FULL {
                    if is_last {
                        // What is queued of an answered request stays: it is no longer one to cancel.
                        self.land(&mut state, id);
                    }
                    if !state.is_left {
                        state.push(serial, line);
                    }
                    break;
                }
            }
            room.await;
        }
        self.ready.notify_one();
    }

    /// Ends a request whose answer goes another way; says whether it was in flight.
    pub(super) fn settle(&self, id: &str, serial: Serial) -> bool {
        let mut state = self.lock();
        state.is_in_flight(id, serial) && self.land(&mut state, id).is_some()
    }

    /// Ends a request that will never be answered otherwise.
    pub(super) fn answer_anyway(&self, id: &str, serial: Serial, message: impl FnOnce() -> Vec<u8>) {
        let mut state = self.lock();
        if state.is_in_flight(id, serial) {
            self.land(&mut state, id);
            state.push(serial, into_line(message()));
            drop(state);
            self.ready.notify_one();
        }
    }

    fn land(&self, state: &mut State, id: &str) -> Option<Flight> {
        let flight = state.flights.remove(id);
        state.subscriptions -= usize::from(flight.as_ref().is_some_and(|flight| flight.is_subscription));
        if state.flights.is_empty() {
            self.idle.notify_one();
        }
        flight
    }

    /// "Servers [..] MUST NOT send any further messages for it." (basic/transports/stdio, Cancellation)
    ///
    /// Says whether there was such a request.
    pub(super) fn cancel(&self, id: &str) -> bool {
        let task = {
            let mut state = self.lock();
            let Some(flight) = self.land(&mut state, id) else { return false };
            let State { queue, waiting, .. } = &mut *state;
            queue.retain(|(serial, line)| {
                let keep = *serial != flight.serial;
                if !keep {
                    *waiting -= line.len();
                }
                keep
            });
            flight.task
        };
        self.room.notify_waiters();
        self.calm.notify_waiters();
        if let Some(task) = task {
            task.abort();
        }
        true
    }

    /// The client is gone: cancels what is in flight, besides calls that their handlers have detached, which go on and
    /// are not heard. Says how many requests that were.
    pub(super) fn leave(&self) -> usize {
        let cancelled: Vec<Flight> = {
            let mut state = self.lock();
            state.is_left = true;
            state.subscriptions = 0;
            let is_detached = |flight: &Flight| flight.ctx.as_ref().is_some_and(Context::is_detached);
            state.flights.extract_if(|_, flight| !is_detached(flight)).map(|(_, flight)| flight).collect()
        };
        self.room.notify_waiters();
        self.calm.notify_waiters();
        self.idle.notify_one();
        for task in cancelled.iter().filter_map(|flight| flight.task.as_ref()) {
            task.abort();
        }
        cancelled.len()
    }

    /// Cancels whatever is in flight; says how many requests that were.
    pub(super) fn cancel_all(&self) -> usize {
        let flights = {
            let mut state = self.lock();
            state.subscriptions = 0;
            std::mem::take(&mut state.flights)
        };
        self.room.notify_waiters();
        self.calm.notify_waiters();
        self.idle.notify_one();
        for task in flights.values().filter_map(|flight| flight.task.as_ref()) {
            task.abort();
        }
        flights.len()
    }

    pub(super) fn is_in_flight(&self, id: &str) -> bool {
        self.lock().flights.contains_key(id)
    }

    /// How many requests are being worked on, besides subscriptions.
    pub(super) fn at_work(&self) -> usize {
        let state = self.lock();
        state.flights.len() - state.subscriptions
    }

    pub(super) fn in_flight(&self) -> usize {
        self.lock().flights.len()
    }

    /// Completes when no request is in flight. For one waiter.
    pub(super) async fn idle(&self) {
        while self.in_flight() > 0 {
            self.idle.notified().await;
        }
    }

    /// Nothing will be queued any more: the writer ends when it has written what there is.
    pub(super) fn finish(&self) {
        self.lock().finished = true;
        self.ready.notify_one();
    }

    /// Waits for lines to write together; an empty list at the end. For one writer, which reports what it
    /// [has written](Self::written).
    pub(super) async fn next_lines(&self, lines: &mut Vec<Vec<u8>>) {
        lines.clear();
        loop {
            {
                let mut state = self.lock();
                let mut size = 0;
                while let Some((_, line)) = state.queue.front()
                    && (size == 0 || size + line.len() <= CHUNK)
                {
                    size += line.len();
                    lines.extend(state.queue.pop_front().map(|(_, line)| line));
                }
                if size > 0 || state.finished {
                    return;
                }
            }
            self.ready.notified().await;
        }
    }

    /// The client has taken this many bytes.
    pub(super) fn written(&self, bytes: usize) {
        let (before, after) = {
            let mut state = self.lock();
            let before = state.waiting;
            state.waiting -= bytes;
            (before, state.waiting)
        };
        let falls_below = |bound| before >= bound && after < bound;
        if falls_below(FULL) {
            self.room.notify_waiters();
        }
        if falls_below(BEHIND) {
            self.calm.notify_waiters();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The message, which has no line break in it, with one behind it.
fn into_line(mut message: Vec<u8>) -> Vec<u8> {
    message.push(b'\n');
    message
}
