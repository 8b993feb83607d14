//! The state of one call that asks: what it asked, what was answered, what it remembers.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context as Task, Poll, Waker};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Question, Resumed, inside, replay};
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

/// Whether the client can be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Stage {
    /// "Servers MUST NOT send `InputRequiredResult` responses on any other client requests."
    #[default]
    NoRequests,
    /// A function that cannot wait: it is told to return, and runs again.
    Returning,
    /// A future that can wait, and is run again with the answer.
    Waiting,
    /// A future that can wait, and goes on with the answer.
    Live,
    /// The call was suspended or is over: nobody answers any more.
    Over,
}

/// Why a request has no answer.
pub(super) enum Unanswered {
    /// It is the call's failure, whatever the handler makes of it.
    Fault(Error),
    /// The run that made it is over, and another one may follow.
    Interrupted(Error),
}

#[derive(Default)]
pub(super) struct State {
    stage: Stage,
    /// What was answered, and what bodies of `once` gave, in this round and those before.
    known: Resumed,
    /// What this run is compared with, in debug builds.
    replay: replay::Replay,
    /// Who waits for an answer, by key.
    pending: BTreeMap<String, Pending>,
    /// Tasks whose requests gave way to those that the handler made by hand.
    displaced: Vec<Waker>,
    /// The keys that were given out in this run.
    keys: BTreeSet<String>,
    /// How many bodies of `once` are running, and who waits for one of them to be over.
    running: usize,
    bodies: BTreeMap<String, Vec<Waker>>,
    /// Who is to look whether the call is suspended.
    dispatcher: Option<Waker>,
    /// The handler asked without waiting, and is to return.
    asked_by_hand: bool,
    /// What the transport of a live call is to do, in order.
    demands: VecDeque<Demand>,
    /// Why live requests have no answer, by key.
    unanswered: BTreeMap<String, Error>,
}

/// What a live call wants of the transport that carries it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Demand {
    /// Ask the client; the answer goes to [`Flow::answer_live`].
    Ask { key: String, asked: Asked },
    /// Nobody waits for the answer any more.
    Withdraw { key: String },
    /// Let the client go, who comes back for the rest after this time.
    Release(Duration),
}

struct Pending {
    asked: Asked,
    waker: Waker,
}

impl Flow {
    /// The client can be asked from here on.
    pub(crate) fn open(&self, stage: Stage) {
        self.lock().stage = stage;
    }

    /// Continues from what earlier rounds gave, with what the client brought.
    pub(crate) fn resume(&self, mut known: Resumed, responses: Map<String, Value>) {
        let mut state = self.lock();
        state.replay = replay::Replay::of(&known, &responses);
        for (key, answer) in responses {
            // "The server SHOULD ignore any information it does not recognize or need": the state says what the
            // person has seen, and nothing else is answered.
            if known.round > 0 && known.question(&key).is_none() {
                continue;
            }
            // What an earlier round was given stays: this round may be a repetition.
            known.answers.entry(key).or_insert(answer);
        }
        state.known = known;
    }

    /// The number of this round, from 1.
    pub(crate) fn round(&self) -> u32 {
        self.lock().known.round.saturating_add(1)
    }

    /// A request under a key that no other one of this run has: the author's, or one from the position.
    ///
    /// "`inputRequests` keys are server assigned identifiers and MUST be unique within the scope of the
    /// request." (basic/patterns/mrtr)
    pub(super) fn question(&self, name: Option<&str>, asked: &Asked) -> Question {
        let mut state = self.lock();
        let question = if let Some(name) = name {
            Question::named(&numbered(name, |key| !state.keys.contains(key)), asked)
        } else {
            // Branches that go on by themselves come in another order in each round, so the same request has
            // the key that it had before.
            let first = Question::unnamed("input", asked);
            let known = state.known.asked.iter();
            let before = known.filter(|before| before.is_same(&first)).map(|before| &before.key);
            let key = before.into_iter().find(|key| !state.keys.contains(*key)).cloned();
            let is_free = |key: &str| !state.keys.contains(key) && state.known.question(key).is_none();
            Question::unnamed(&key.unwrap_or_else(|| numbered("input", is_free)), asked)
        };
        state.keys.insert(question.key.clone());
        question
    }

    /// The answer to a request, or a place among those that wait.
    pub(super) fn poll_answer(
        &self,
        question: &Question,
        asked: &Asked,
        waker: &Waker,
    ) -> Poll<Result<Value, Unanswered>> {
        let fault = |error| Poll::Ready(Err(Unanswered::Fault(error)));
        let mut state = self.lock();
        if state.stage == Stage::NoRequests {
            return fault(no_requests());
        }
        if inside::is_once() {
            tracing::error!(
                "a request was made inside of `once`, whose body has to come to its end before the client is \
                 asked: ask before it or after it"
            );
            return fault(Error::internal("The handler asks for input inside of `once`"));
        }
        if let Err(error) = state.note(question) {
            return fault(error);
        }
        if let Some(answer) = state.known.answers.get(&question.key) {
            return Poll::Ready(Ok(answer.clone()));
        }
        if let Some(error) = state.unanswered.remove(&question.key) {
            return Poll::Ready(Err(Unanswered::Interrupted(error)));
        }
        let pending = Pending { asked: asked.clone(), waker: waker.clone() };
        match state.stage {
            Stage::Live => {
                let before = state.pending.insert(question.key.clone(), pending);
                if before.is_none_or(|before| before.asked != *asked) {
                    state.demand(Demand::Ask { key: question.key.clone(), asked: asked.clone() });
                }
                Poll::Pending
            }
            Stage::Waiting => {
                state.pending.insert(question.key.clone(), pending);
                self.waiting.store(true, Ordering::Release);
                let dispatcher = state.dispatcher.take();
                drop(state);
                // The handler's own poll is followed by a look at the flow anyway.
                if let Some(dispatcher) = dispatcher {
                    dispatcher.wake();
                }
                Poll::Pending
            }
            Stage::Returning => {
                state.pending.insert(question.key.clone(), pending);
                state.asked_by_hand = true;
                self.waiting.store(true, Ordering::Release);
                Poll::Ready(Err(Unanswered::Interrupted(interrupted())))
            }
            Stage::NoRequests | Stage::Over => Poll::Ready(Err(Unanswered::Interrupted(interrupted()))),
        }
    }

    /// Asks without a future to go on with the answer: the handler itself will look for it.
    ///
    /// # Errors
    ///
    /// Where the client cannot be asked.
    pub(super) fn ask_by_hand(
        &self,
        requests: BTreeMap<String, Asked>,
        by_hand: Option<Value>,
    ) -> Result<(), Error> {
        let mut state = self.lock();
        if state.stage == Stage::NoRequests {
            return Err(no_requests());
        }
        state.replay.ignore();
        for (key, asked) in &requests {
            // Asked for again, it is not what is known.
            state.known.answers.remove(key);
            let question = Question::named(key, asked);
            state.known.asked.retain(|before| before.key != *key);
            state.known.asked.push(question);
        }
        let waker = Waker::noop();
        let requests =
            requests.into_iter().map(|(key, asked)| (key, Pending { asked, waker: waker.clone() })).collect();
        let displaced = std::mem::replace(&mut state.pending, requests);
        if state.stage == Stage::Live {
            let withdrawn = displaced.keys().map(|key| Demand::Withdraw { key: key.clone() });
            state.demands.extend(withdrawn);
        }
        state.displaced.extend(displaced.into_values().map(|pending| pending.waker));
        state.known.by_hand = by_hand;
        state.asked_by_hand = true;
        self.waiting.store(true, Ordering::Release);
        Ok(())
    }

    /// The client's answer under this key, as it came.
    pub(super) fn answer(&self, key: &str) -> Option<Value> {
        let mut state = self.lock();
        state.replay.ignore();
        state.known.answers.get(key).cloned()
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
        let was_pending = state.pending.remove(key).is_some();
        if state.stage == Stage::Live {
            if was_pending {
                state.demand(Demand::Withdraw { key: key.to_owned() });
            }
            return;
        }
        self.waiting.store(state.asked_by_hand || !state.pending.is_empty(), Ordering::Release);
    }

    /// What a body of `once` gave in an earlier round; else it is about to run, or runs already.
    ///
    /// # Errors
    ///
    /// When what it gives would not be remembered, because the run is over.
    pub(super) fn poll_once(&self, key: &str, waker: &Waker) -> Poll<Result<Option<Value>, Error>> {
        let mut state = self.lock();
        if let Some(value) = state.known.once.get(key) {
            return Poll::Ready(Ok(Some(value.clone())));
        }
        if state.stage == Stage::Over {
            return Poll::Ready(Err(interrupted()));
        }
        // A body that waits for itself would wait for ever.
        if !inside::is_once()
            && let Some(waiting) = state.bodies.get_mut(key)
        {
            waiting.push(waker.clone());
            return Poll::Pending;
        }
        state.running += 1;
        state.bodies.entry(key.to_owned()).or_default();
        // What it gives may be another thing than it was in the round before.
        state.replay.ignore();
        Poll::Ready(Ok(None))
    }

    /// A body of `once` is over; what it gave, if anything, is remembered.
    pub(super) fn end_once(&self, key: &str, value: Option<Value>) {
        let mut state = self.lock();
        state.running -= 1;
        let mut wakers = state.bodies.remove(key).unwrap_or_default();
        if let Some(value) = value {
            state.known.once.insert(key.to_owned(), value);
        }
        if state.running == 0 && self.waiting.load(Ordering::Acquire) {
            wakers.extend(state.dispatcher.take());
        }
        drop(state);
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Whether the call is to be answered with what it asks for: something waits, and no body of `once` runs.
    /// Else the waker is woken when that may have changed, by a task beside the handler.
    pub(crate) fn is_suspended(&self, waker: &Waker) -> bool {
        let mut state = self.lock();
        if self.waiting.load(Ordering::Acquire) && state.running == 0 && state.stage != Stage::Live {
            return true;
        }
        match &mut state.dispatcher {
            Some(dispatcher) => dispatcher.clone_from(waker),
            None => state.dispatcher = Some(waker.clone()),
        }
        false
    }

    /// Whether the handler, which has returned, asked by hand. What tasks that it left behind wait for does
    /// not count.
    pub(crate) fn is_asked_by_hand(&self) -> bool {
        self.waiting.load(Ordering::Acquire) && self.lock().asked_by_hand
    }

    /// Ends the run: what it asked for, and what the next one is to know.
    ///
    /// Tasks that still wait are told that nobody will answer them.
    ///
    /// # Errors
    ///
    /// In debug builds, when the run asked for other things than the one before.
    pub(crate) fn suspend(&self) -> Result<(BTreeMap<String, Asked>, Resumed), Error> {
        let mut state = self.lock();
        state.stage = Stage::Over;
        let mut known = state.known.clone();
        // An answer that nobody asked for has no place in what is carried on.
        known.answers.retain(|key, _| state.known.question(key).is_some());
        known.round = known.round.saturating_add(1);
        let checked = state.replay.check();
        let pending = std::mem::take(&mut state.pending);
        let displaced = std::mem::take(&mut state.displaced);
        self.waiting.store(false, Ordering::Release);
        drop(state);
        displaced.into_iter().for_each(Waker::wake);
        let asked = pending.into_iter().map(|(key, pending)| {
            pending.waker.wake();
            (key, pending.asked)
        });
        let asked = asked.collect();
        checked.map(|()| (asked, known))
    }

    /// Ends the run without an answer: the call is over.
    pub(crate) fn close(&self) {
        if self.waiting.load(Ordering::Acquire) {
            drop(self.suspend());
            return;
        }
        let mut state = self.lock();
        state.stage = Stage::Over;
        let pending = std::mem::take(&mut state.pending);
        drop(state);
        // Tasks that ask live are told that nobody will answer them.
        for pending in pending.into_values() {
            pending.waker.wake();
        }
    }

    /// What a live call wants next of its transport.
    pub(crate) fn poll_demand(&self, task: &mut Task<'_>) -> Poll<Demand> {
        let mut state = self.lock();
        if let Some(demand) = state.demands.pop_front() {
            return Poll::Ready(demand);
        }
        match &mut state.dispatcher {
            Some(dispatcher) => dispatcher.clone_from(task.waker()),
            None => state.dispatcher = Some(task.waker().clone()),
        }
        Poll::Pending
    }

    /// Lets the client of a live call go.
    pub(crate) fn release(&self, retry: Duration) {
        self.lock().demand(Demand::Release(retry));
    }

    /// The client's answer to a live request, or why there is none.
    pub(crate) fn answer_live(&self, key: &str, answer: Result<Value, Error>) {
        let mut state = self.lock();
        let Some(pending) = state.pending.remove(key) else { return };
        match answer {
            Ok(answer) => drop(state.known.answers.insert(key.to_owned(), answer)),
            Err(error) => drop(state.unanswered.insert(key.to_owned(), error)),
        }
        drop(state);
        pending.waker.wake();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Tells the transport, whose task is woken by it: no lock of ours is taken by that.
    fn demand(&mut self, demand: Demand) {
        self.demands.push_back(demand);
        if let Some(dispatcher) = self.dispatcher.take() {
            dispatcher.wake();
        }
    }

    /// Remembers what was asked under a key.
    fn note(&mut self, question: &Question) -> Result<(), Error> {
        if self.stage != Stage::Over {
            self.replay.note(question)?;
        }
        match self.known.question(&question.key) {
            Some(before) if before.is_same(question) => return Ok(()),
            // The answer to another question is no answer: it is asked.
            Some(_) => {
                self.known.answers.remove(&question.key);
                self.known.asked.retain(|before| before.key != question.key);
            }
            None => {}
        }
        self.known.asked.push(question.clone());
        Ok(())
    }
}

/// `name`, `name-2`, `name-3`, until one is free.
fn numbered(name: &str, is_free: impl Fn(&str) -> bool) -> String {
    let mut key = name.to_owned();
    let mut count = 1;
    while !is_free(&key) {
        count += 1;
        key = format!("{name}-{count}");
    }
    key
}

fn interrupted() -> Error {
    Error::internal("This run of the call is over: nobody answers this request any more")
}

/// The error of a function that asks in a request that is not suspended.
pub(crate) fn no_requests() -> Error {
    tracing::error!(
        "a function asked for input that completes or lists: the client can be asked in tools, resources and \
         prompts only"
    );
    Error::internal("This request cannot ask for input")
}
