//! A handler runs again from its beginning in every round, so it has to ask for the same things each time.
//!
//! Checked in debug builds: in release builds a difference only means a fresh question.

use serde_json::{Map, Value};

use super::{Question, Resumed, inside};
use crate::protocol::Error;

/// What a run is compared with.
#[derive(Default)]
pub(super) struct Replay {
    /// What was asked for in earlier rounds.
    before: Vec<Question>,
    /// What of it the client was asked for in the last round, if it answered any of that.
    answered: Vec<String>,
    /// What is asked for in this run, in order.
    now: Vec<Question>,
    /// There are good reasons to ask for other things: a body of `once` that failed before, a task that
    /// is sometimes faster than another, a handler that asks by hand.
    ignored: bool,
}

impl Replay {
    pub(super) fn of(known: &Resumed, responses: &Map<String, Value>) -> Self {
        if !cfg!(debug_assertions) {
            return Self::default();
        }
        let waiting = known.asked.iter().map(|question| &question.key);
        let waiting: Vec<String> = waiting.filter(|key| !known.answers.contains_key(*key)).cloned().collect();
        let is_answered = waiting.iter().any(|key| responses.contains_key(key));
        Self {
            before: known.asked.clone(),
            answered: if is_answered { waiting } else { Vec::new() },
            ..Self::default()
        }
    }

    /// This run may ask for other things.
    pub(super) fn ignore(&mut self) {
        self.ignored = true;
    }

    /// A request is made.
    ///
    /// # Errors
    ///
    /// If another one was made under its key in an earlier round.
    pub(super) fn note(&mut self, question: &Question) -> Result<(), Error> {
        if !cfg!(debug_assertions) || self.now.iter().any(|before| before.key == question.key) {
            return Ok(());
        }
        self.ignored |= !inside::is_handler();
        self.now.push(question.clone());
        match self.before.iter().find(|before| before.key == question.key) {
            Some(before) if !before.is_same(question) => Err(self.differs()),
            _ => Ok(()),
        }
    }

    /// The run is suspended.
    ///
    /// # Errors
    ///
    /// If it asks for something else instead of looking at the answers to what it asked for before.
    pub(super) fn check(&self) -> Result<(), Error> {
        let has = |questions: &[Question], key: &str| questions.iter().any(|question| question.key == key);
        let is_other = !self.ignored
            && !self.answered.is_empty()
            && !self.answered.iter().any(|key| has(&self.now, key))
            && self.now.iter().any(|question| !has(&self.before, &question.key));
        if is_other { Err(self.differs()) } else { Ok(()) }
    }

    fn differs(&self) -> Error {
        let labels = |questions: &[Question]| {
            questions.iter().map(|question| question.label().to_owned()).collect::<Vec<_>>()
        };
        let (before, now) = (labels(&self.before), labels(&self.now));
        tracing::error!(
            "the handler asked for {now:?} in this round, but for {before:?} in those before: what it asks may \
             depend on its arguments, on answers and on `once`, and on nothing else; a request that says \
             something else each time needs a `.key(..)`"
        );
        Error::internal(format!(
            "The handler asked for other things than in the rounds before: {before:?}, then {now:?}"
        ))
    }
}
