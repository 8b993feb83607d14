//! What a stream keeps, and what it gives up where there is no room.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context as Task, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;

/// The most messages that a stream keeps, and the bytes of them, beside its answers.
const MESSAGES: usize = 256;
const BYTES: usize = 256 * 1024;

/// The most bytes that all streams of a session keep for clients that are not there.
pub(super) const SESSION_BYTES: usize = 4 * 1024 * 1024;

/// The messages of a stream, and who takes them.
pub(super) struct State {
    pub(super) kept: VecDeque<Kept>,
    /// The position of the next message.
    pub(super) next: u64,
    /// The position of the first message that no connection has taken yet.
    pub(super) taken: u64,
    bytes: usize,
    /// The bytes of all streams of the session.
    session_bytes: Arc<AtomicUsize>,
    /// How many calls will answer here.
    pub(super) unanswered: usize,
    pub(super) connection: Option<Serial>,
    pub(super) last_connection: Serial,
    pub(super) leave: Option<Leave>,
    pub(super) waker: Option<Waker>,
    pub(super) ended: Option<Instant>,
    /// What is taken is not kept.
    pub(super) forgets: bool,
}

/// The client is to leave.
#[derive(Clone, Copy)]
pub(super) struct Leave {
    /// When it is to come back.
    pub(super) retry: Duration,
    /// The position of the first message that it comes back for.
    pub(super) before: u64,
}

/// Tells the connections of a stream apart.
pub(super) type Serial = u64;

pub(super) struct Kept {
    pub(super) position: u64,
    pub(super) line: Bytes,
    pub(super) kind: Kind,
}

/// What is given up first where there is no room: the smallest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Notification,
    Question,
    Answer,
}

impl State {
    pub(super) fn new(calls: usize, session_bytes: &Arc<AtomicUsize>) -> Self {
        Self {
            kept: VecDeque::new(),
            next: 1,
            taken: 1,
            bytes: 0,
            session_bytes: Arc::clone(session_bytes),
            unanswered: calls,
            connection: None,
            last_connection: 0,
            leave: None,
            waker: None,
            ended: None,
            forgets: false,
        }
    }

    pub(super) fn push(&mut self, line: Bytes, kind: Kind) {
        self.bytes += line.len();
        self.session_bytes.fetch_add(line.len(), Ordering::Relaxed);
        self.kept.push_back(Kept { position: self.next, line, kind });
        self.next += 1;
    }

    /// The next message for the connection.
    pub(super) fn take(&mut self) -> Option<(u64, Bytes)> {
        let index = self.first_untaken()?;
        let Kept { position, line, .. } = &self.kept[index];
        let taken = (*position, line.clone());
        self.taken = position + 1;
        if self.forgets {
            self.remove(index);
        }
        Some(taken)
    }

    pub(super) fn first_untaken(&self) -> Option<usize> {
        let index = self.kept.partition_point(|kept| kept.position < self.taken);
        (index < self.kept.len()).then_some(index)
    }

    pub(super) fn is_over(&self) -> bool {
        self.unanswered == 0
    }

    /// Half of the room belongs to what was taken already.
    pub(super) fn is_full(&self) -> bool {
        let Some(first) = self.first_untaken().filter(|_| self.connection.is_some()) else { return false };
        let waiting = || self.kept.iter().skip(first);
        waiting().count() >= MESSAGES / 2 || waiting().map(|kept| kept.line.len()).sum::<usize>() >= BYTES / 2
    }

    pub(super) fn answered(&mut self, calls: usize) {
        if self.unanswered > 0 && calls > 0 {
            self.unanswered = self.unanswered.saturating_sub(calls);
            if self.is_over() {
                self.ended = Some(Instant::now());
            }
        }
    }

    /// Forgets messages where there are too many: those that were taken, then (with nobody there to take them) those
    /// whose loss is smallest. The answers stay.
    pub(super) fn give_up_some(&mut self) {
        while self.has_too_much() {
            let (taken, is_free) = (self.taken, self.connection.is_none());
            let least = self
                .kept
                .iter()
                .enumerate()
                .filter(|(_, kept)| kept.kind != Kind::Answer && (is_free || kept.position < taken))
                .min_by_key(|(_, kept)| (kept.position >= taken, kept.kind))
                .map(|(index, _)| index);
            let Some(index) = least else { return };
            self.remove(index);
        }
    }

    fn has_too_much(&self) -> bool {
        let others = || self.kept.iter().filter(|kept| kept.kind != Kind::Answer);
        others().nth(MESSAGES).is_some()
            || (self.bytes > BYTES && others().map(|kept| kept.line.len()).sum::<usize>() > BYTES)
            || self.session_bytes.load(Ordering::Relaxed) > SESSION_BYTES
    }

    fn remove(&mut self, index: usize) {
        if let Some(kept) = self.kept.remove(index) {
            self.bytes -= kept.line.len();
            self.session_bytes.fetch_sub(kept.line.len(), Ordering::Relaxed);
        }
    }

    pub(super) fn poll_over(&mut self, task: &mut Task<'_>) -> Poll<()> {
        if self.is_over() {
            return Poll::Ready(());
        }
        self.register(task);
        Poll::Pending
    }

    pub(super) fn register(&mut self, task: &mut Task<'_>) {
        match &mut self.waker {
            Some(waker) => waker.clone_from(task.waker()),
            None => self.waker = Some(task.waker().clone()),
        }
    }
}

impl Drop for State {
    fn drop(&mut self) {
        self.session_bytes.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}
