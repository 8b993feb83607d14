//! One session over HTTP: its streams, and the calls that are running.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::buffer::SESSION_BYTES;
use super::stream::Stream;
use crate::legacy::Session;

/// The most streams that are kept after their end.
const ENDED: usize = 64;

/// How long a stream is kept that ended, and of which its client was sent everything.
pub(super) const RETENTION: Duration = Duration::from_secs(60);

/// One session over HTTP. What runs in it, and who reads its streams, holds a [`Use`] of it.
pub(super) struct HttpSession {
    /// What was agreed on; with HTTP+SSE there is nothing at first.
    session: OnceLock<Arc<Session>>,
    /// The one stream that there is with HTTP+SSE.
    line: Option<Arc<Stream>>,
    pub(super) users: AtomicUsize,
    /// Milliseconds since [`epoch`](Self::epoch).
    last_used: AtomicU64,
    epoch: Instant,
    stream_bytes: Arc<AtomicUsize>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    is_over: bool,
    /// Its client has gone away, rather than ended it.
    is_left: bool,
    calls: HashMap<Box<str>, Flight>,
    last_flight: u64,
    /// Those whose ids the client has seen.
    streams: Vec<Arc<Stream>>,
    last_stream: u64,
    standalone: Option<Arc<Stream>>,
}

/// A call that is running.
struct Flight {
    serial: u64,
    task: Option<AbortHandle>,
}

/// Why a call cannot run.
#[derive(Debug, PartialEq)]
pub(super) enum Grounded {
    SessionOver,
    /// "The request ID MUST NOT have been previously used by the requestor within the same session." (basic/index)
    SameId,
}

/// The number of the standalone stream.
pub(super) const STANDALONE: u64 = 0;

impl HttpSession {
    pub(super) fn new(session: Arc<Session>, epoch: Instant) -> Self {
        Self::with(OnceLock::from(session), None, epoch)
    }

    /// One of HTTP+SSE, before its `initialize`. Its stream ends when the session does.
    pub(super) fn of_line(epoch: Instant) -> Self {
        Self::with(OnceLock::new(), Some(Stream::of_line()), epoch)
    }

    fn with(session: OnceLock<Arc<Session>>, line: Option<Arc<Stream>>, epoch: Instant) -> Self {
        let (users, last_used) = (AtomicUsize::new(0), AtomicU64::new(0));
        let this = Self {
            session,
            line,
            users,
            last_used,
            epoch,
            stream_bytes: Arc::default(),
            state: Mutex::default(),
        };
        this.touch();
        this
    }

    pub(super) fn session(&self) -> Option<&Arc<Session>> {
        self.session.get()
    }

    /// Says whether it is the first.
    pub(super) fn initialize(&self, session: Arc<Session>) -> bool {
        self.session.set(session).is_ok()
    }

    pub(super) fn line(&self) -> Option<&Arc<Stream>> {
        self.line.as_ref()
    }

    /// Since when it is idle; nothing while something runs in it, or somebody reads.
    pub(super) fn idle_since(&self) -> Option<u64> {
        (self.users.load(Ordering::Acquire) == 0).then(|| self.last_used.load(Ordering::Acquire))
    }

    pub(super) fn touch(&self) {
        let now = self.epoch.elapsed().as_millis();
        self.last_used.store(u64::try_from(now).unwrap_or(u64::MAX), Ordering::Release);
    }

    pub(super) fn is_over(&self) -> bool {
        self.lock().is_over
    }

    pub(super) fn is_in_flight(&self, id: &str) -> bool {
        self.lock().calls.contains_key(id)
    }

    /// Notes that a call runs; the serial tells it from a later one with its id.
    pub(super) fn take_off(&self, id: &str) -> Result<u64, Grounded> {
        let mut state = self.lock();
        if state.is_over {
            return Err(Grounded::SessionOver);
        }
        state.last_flight += 1;
        let serial = state.last_flight;
        match state.calls.entry(id.into()) {
            Entry::Occupied(_) => Err(Grounded::SameId),
            Entry::Vacant(entry) => {
                entry.insert(Flight { serial, task: None });
                Ok(serial)
            }
        }
    }

    /// Notes the task that runs a call; one that was cancelled before it had one ends here.
    pub(super) fn set_task(&self, id: &str, serial: u64, task: AbortHandle) {
        if let Some(flight) = self.lock().calls.get_mut(id).filter(|flight| flight.serial == serial) {
            flight.task = Some(task);
            return;
        }
        task.abort();
    }

    /// Notes that a call is done; says whether it may answer, which one that was cancelled may not.
    pub(super) fn land(&self, id: &str, serial: u64) -> bool {
        let mut state = self.lock();
        let may_answer = state.calls.get(id).is_some_and(|flight| flight.serial == serial);
        if may_answer {
            state.calls.remove(id);
            if state.calls.is_empty() {
                state.calls.shrink_to_fit();
            }
        }
        may_answer
    }

    /// Cancels a call; says whether there was one.
    pub(super) fn cancel(&self, id: &str) -> bool {
        let flight = self.lock().calls.remove(id);
        flight.map(|flight| flight.task.inspect(AbortHandle::abort)).is_some()
    }

    /// A stream for these many calls. It cannot be resumed before it is [opened](Self::open).
    pub(super) fn stream(&self, calls: usize) -> Arc<Stream> {
        let number = {
            let mut state = self.lock();
            state.last_stream += 1;
            state.last_stream
        };
        Stream::new(number, calls, &self.stream_bytes)
    }

    /// Keeps a stream for a client that comes back.
    pub(super) fn open(&self, stream: &Arc<Stream>) {
        let mut state = self.lock();
        if state.is_over {
            stream.end();
        } else {
            state.streams.push(Arc::clone(stream));
        }
        drop(state);
        self.tidy();
    }

    /// The stream of messages that belong to no request.
    pub(super) fn standalone(&self) -> Arc<Stream> {
        let mut state = self.lock();
        let bytes = &self.stream_bytes;
        let stream = Arc::clone(state.standalone.get_or_insert_with(|| Stream::new(STANDALONE, 1, bytes)));
        if state.is_over {
            stream.end();
        }
        stream
    }

    /// A stream by its number, if it is kept.
    pub(super) fn find_stream(&self, number: u64) -> Option<Arc<Stream>> {
        let state = self.lock();
        if number == STANDALONE {
            return state.standalone.clone();
        }
        state.streams.iter().find(|stream| stream.number == number).cloned()
    }

    /// Forgets streams that ended: those that were taken long ago, and the oldest where they are too many or too large.
    pub(super) fn tidy(&self) {
        let mut state = self.lock();
        if state.streams.is_empty() {
            return;
        }
        let is_old = |ended: Instant| ended.elapsed() >= RETENTION;
        state.streams.retain(|stream| !matches!(stream.ended(), Some((ended, true)) if is_old(ended)));
        loop {
            let ended = |stream: &Arc<Stream>| stream.ended().map(|(_, is_taken)| is_taken);
            let count = state.streams.iter().filter(|stream| ended(stream).is_some()).count();
            if count <= ENDED && self.stream_bytes.load(Ordering::Relaxed) <= SESSION_BYTES {
                break;
            }
            let taken = state.streams.iter().position(|stream| ended(stream) == Some(true));
            let oldest = || state.streams.iter().position(|stream| ended(stream).is_some());
            let Some(index) = taken.or_else(oldest) else { break };
            state.streams.remove(index);
        }
        if state.streams.is_empty() {
            state.streams.shrink_to_fit();
        }
    }

    /// Whether its client has gone away, rather than ended it.
    pub(super) fn is_left(&self) -> bool {
        self.lock().is_left
    }

    /// Ends the session, whose client has gone away.
    pub(super) fn leave(&self) {
        self.lock().is_left = true;
        self.end();
    }

    /// Ends the session: what runs in it is cancelled, and its streams end.
    pub(super) fn end(&self) {
        let (calls, streams, standalone) = {
            let mut state = self.lock();
            state.is_over = true;
            (std::mem::take(&mut state.calls), std::mem::take(&mut state.streams), state.standalone.take())
        };
        calls.into_values().filter_map(|flight| flight.task).for_each(|task| task.abort());
        streams.iter().chain(&standalone).chain(&self.line).for_each(|stream| stream.end());
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
