//! The state of one call that asks: what it asked, what was answered, what it remembers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Resumed;
use crate::protocol::Error;

/// One request to the client.
///
/// ```json
/// {"method": "elicitation/create", "params": {"mode": "form", "message": "Sure?", "requestedSchema": {}}}
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Asked {
    pub(crate) method: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) params: Option<Value>,
}

/// What a call asked and remembers. A call that never asks pays for one flag.
#[derive(Default)]
pub(crate) struct Flow {
    /// Whether a request waits for an answer.
    waiting: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// What was answered, and what bodies of `once` gave, in this round and those before.
    known: Resumed,
    /// Who waits for an answer, by key.
    pending: BTreeMap<String, Pending>,
    /// The keys in the order in which they were asked for in this run.
    sequence: Vec<String>,
    /// How often each key was given out.
    keys: BTreeMap<String, usize>,
    /// How many bodies of `once` are running.
    running: usize,
    /// The handler asked without waiting, and is to return.
    asked_by_hand: bool,
    /// The call was suspended or is over: nobody answers any more.
    closed: bool,
}

struct Pending {
    asked: Asked,
    waker: Waker,
}

impl Flow {
    /// Continues from what earlier rounds gave.
    pub(crate) fn resume(&self, known: Resumed) {
        self.lock().known = known;
    }

    /// The number of this round, from 1.
    pub(crate) fn round(&self) -> u32 {
        self.lock().known.round + 1
    }

    /// A key that no other request of this run has: the author's, or one from the position.
    ///
    /// "`inputRequests` keys are server assigned identifiers and MUST be unique within the scope of the
    /// request." (basic/patterns/mrtr)
    pub(super) fn key(&self, wanted: &str) -> String {
        let mut state = self.lock();
        let count = state.keys.entry(wanted.to_owned()).or_default();
        *count += 1;
        if *count == 1 { wanted.to_owned() } else { format!("{wanted}-{count}") }
    }

    /// The answer to a request, or a place among those that wait.
    pub(super) fn poll_answer(&self, key: &str, asked: &Asked, waker: &Waker) -> Poll<Result<Value, Error>> {
        let mut state = self.lock();
        if !state.sequence.iter().any(|before| before == key) {
            state.sequence.push(key.to_owned());
        }
        if let Some(answer) = state.known.answers.get(key) {
            return Poll::Ready(Ok(answer.clone()));
        }
        if state.closed {
            return Poll::Ready(Err(cancelled()));
        }
        state.pending.insert(key.to_owned(), Pending { asked: asked.clone(), waker: waker.clone() });
        self.waiting.store(true, Ordering::Release);
        Poll::Pending
    }

    /// Asks without a future to go on with the answer: the handler itself will look for it.
    pub(super) fn ask_by_hand(&self, requests: BTreeMap<String, Asked>, state: Option<Value>) {
        let mut current = self.lock();
        current.sequence.extend(requests.keys().cloned());
        let waker = Waker::noop();
        current.pending =
            requests.into_iter().map(|(key, asked)| (key, Pending { asked, waker: waker.clone() })).collect();
        current.known.by_hand = state;
        current.asked_by_hand = true;
        self.waiting.store(true, Ordering::Release);
    }

    /// The client's answer under this key, as it came.
    pub(super) fn answer(&self, key: &str) -> Option<Value> {
        self.lock().known.answers.get(key).cloned()
    }

    /// What the handler put beside its requests in the round before.
    pub(super) fn by_hand(&self) -> Option<Value> {
        self.lock().known.by_hand.clone()
    }

    /// Forgets an answer that does not fit, so that it is asked for again.
    pub(super) fn reject(&self, key: &str) {
        self.lock().known.answers.remove(key);
    }

    /// The request is no longer awaited.
    pub(super) fn withdraw(&self, key: &str) {
        let mut state = self.lock();
        state.pending.remove(key);
        self.waiting.store(!state.pending.is_empty(), Ordering::Release);
    }

    /// What a body of `once` gave in an earlier round; else it is about to run.
    pub(super) fn begin_once(&self, key: &str) -> Option<Value> {
        let mut state = self.lock();
        if let Some(value) = state.known.once.get(key) {
            return Some(value.clone());
        }
        state.running += 1;
        None
    }

    /// A body of `once` is over; what it gave, if anything, is remembered.
    pub(super) fn end_once(&self, key: &str, value: Option<Value>) {
        let mut state = self.lock();
        state.running -= 1;
        if let Some(value) = value {
            state.known.once.insert(key.to_owned(), value);
        }
    }

    /// Whether the call is to be answered with what it asks for: something waits, and no body of `once` runs.
    pub(crate) fn is_suspended(&self) -> bool {
        self.waiting.load(Ordering::Acquire) && self.lock().running == 0
    }

    /// Whether the handler, which has returned, asked by hand. What tasks that it left behind wait for does
    /// not count.
    pub(crate) fn is_asked_by_hand(&self) -> bool {
        self.waiting.load(Ordering::Acquire) && self.lock().asked_by_hand
    }

    /// Whether this run asked for what the one before did.
    ///
    /// A handler runs again from its beginning in every round, so it has to ask for the same things. Checked in
    /// debug builds, when nothing more can be asked for in this run: until then, branches that are polled
    /// together ask in any order, and one goes on while another has not begun. In release builds a
    /// difference only means a fresh question.
    pub(crate) fn check_replay(&self) -> Result<(), Error> {
        let state = self.lock();
        if !cfg!(debug_assertions) || state.asked_by_hand {
            return Ok(());
        }
        let (before, now) = (&state.known.sequence, &state.sequence);
        let has_all = |these: &[String], those: &[String]| those.iter().all(|key| these.contains(key));
        if has_all(before, now) || has_all(now, before) {
            return Ok(());
        }
        tracing::error!(
            "the handler asked for {now:?} in this round, but for {before:?} in the one before: what it asks \
             may depend on its arguments, on answers and on `once`, and on nothing else"
        );
        Err(Error::internal(format!(
            "The handler asked for other things than in the round before: {before:?}, then {now:?}"
        )))
    }

    /// Ends the run: what it asked for, and what the next one is to know.
    ///
    /// Tasks that still wait are told that nobody will answer them.
    pub(crate) fn suspend(&self) -> (BTreeMap<String, Asked>, Resumed) {
        let mut state = self.lock();
        state.closed = true;
        let mut known = state.known.clone();
        // An answer that nobody asked for has no place in what is carried on.
        let before = std::mem::take(&mut known.sequence);
        known.answers.retain(|key, _| state.sequence.contains(key) || before.contains(key));
        known.sequence.clone_from(&state.sequence);
        if state.asked_by_hand {
            // Such a handler looks for the answers that it has, and asks only for those that it has not.
            known.sequence.extend(before.into_iter().filter(|key| !state.sequence.contains(key)));
        }
        known.round += 1;
        let pending = std::mem::take(&mut state.pending);
        self.waiting.store(false, Ordering::Release);
        drop(state);
        let asked = pending.into_iter().map(|(key, pending)| {
            pending.waker.wake();
            (key, pending.asked)
        });
        (asked.collect(), known)
    }

    /// Ends the run without an answer: the call is over.
    pub(crate) fn close(&self) {
        if self.waiting.load(Ordering::Acquire) {
            drop(self.suspend());
        } else {
            self.lock().closed = true;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn cancelled() -> Error {
    Error::internal("The call is over: nobody answers this request any more")
}
