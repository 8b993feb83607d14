//! The questions of a session that wait for its client.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context as Task, Waker};

use serde_json::Value;

use crate::message::ClientError;

/// The id of a request to the client. "The request ID MUST NOT have been previously used by the requestor within the
/// same session." (basic/index, Requests)
pub(super) type QuestionId = u64;

/// Who waits for which answer.
#[derive(Default)]
pub(super) struct Calls {
    last: AtomicU64,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    mailboxes: HashMap<QuestionId, Arc<Mailbox>>,
    /// Nothing is answered any more.
    is_closed: bool,
}

/// Where the answers for one call arrive.
#[derive(Default)]
pub(super) struct Mailbox {
    state: Mutex<Mail>,
}

#[derive(Default)]
struct Mail {
    answers: VecDeque<(QuestionId, Result<Value, ClientError>)>,
    waker: Option<Waker>,
}

impl Calls {
    /// A question whose answer goes to `mailbox`; nothing where there will be no answer.
    pub(super) fn ask(&self, mailbox: &Arc<Mailbox>) -> Option<QuestionId> {
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let mut waiting = self.lock();
        if waiting.is_closed {
            return None;
        }
        waiting.mailboxes.insert(id, Arc::clone(mailbox));
        Some(id)
    }

    /// Nobody waits for the answer any more.
    pub(super) fn withdraw(&self, id: QuestionId) {
        self.lock().mailboxes.remove(&id);
    }

    /// The client cannot answer any more: all who wait are told, and so are those who ask later.
    #[cfg(feature = "stdio")]
    pub(super) fn close(&self) {
        let mailboxes = {
            let mut waiting = self.lock();
            waiting.is_closed = true;
            std::mem::take(&mut waiting.mailboxes)
        };
        for (id, mailbox) in mailboxes {
            mailbox.deliver(id, Err(gone()));
        }
    }

    /// Delivers the answer to the question with this JSON id; says whether somebody waits for it.
    pub(super) fn answer(&self, id: &str, outcome: impl FnOnce() -> Result<Value, ClientError>) -> bool {
        // Some clients send every id back as a string.
        let Ok(id) = id.trim_matches('"').parse() else { return false };
        let Some(mailbox) = self.lock().mailboxes.remove(&id) else { return false };
        mailbox.deliver(id, outcome());
        true
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error of a question that the client cannot answer any more.
pub(super) fn gone() -> ClientError {
    ClientError { code: 0, message: "the client sends nothing any more".to_owned() }
}

impl Mailbox {
    fn deliver(&self, id: QuestionId, answer: Result<Value, ClientError>) {
        let waker = {
            let mut mail = self.lock();
            mail.answers.push_back((id, answer));
            mail.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// The next answer; else the task is woken by it.
    pub(super) fn take(&self, task: &mut Task<'_>) -> Option<(QuestionId, Result<Value, ClientError>)> {
        let mut mail = self.lock();
        let answer = mail.answers.pop_front();
        if answer.is_none() {
            match &mut mail.waker {
                Some(waker) => waker.clone_from(task.waker()),
                None => mail.waker = Some(task.waker().clone()),
            }
        }
        answer
    }

    fn lock(&self) -> MutexGuard<'_, Mail> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
