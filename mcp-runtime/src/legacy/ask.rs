//! The questions of one call: asked, answered, withdrawn, or out of time.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as Task, Poll};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, Sleep};

use super::calls::{Mailbox, QuestionId, gone};
use super::{Session, translate};
use crate::input::Asked;
use crate::message::ClientError;
use crate::output::{notification, request};
use crate::protocol::{Error, INVALID_REQUEST};

/// The questions of one call that the client has and has not answered.
pub(super) struct Questions {
    session: Arc<Session>,
    mailbox: Arc<Mailbox>,
    open: Vec<Question>,
    /// Pages that the person went to, whose end the client is told of.
    pages: Vec<String>,
    sleep: Option<Pin<Box<Sleep>>>,
}

struct Question {
    id: QuestionId,
    key: String,
    method: String,
    /// Of a page that the person is sent to.
    elicitation_id: Option<String>,
    deadline: Instant,
}

/// What became of a question.
pub(super) struct Settled {
    pub(super) key: String,
    pub(super) answer: Result<Value, Error>,
    /// What to tell the client of it.
    pub(super) notice: Option<Vec<u8>>,
}

impl Questions {
    pub(super) fn new(session: &Arc<Session>) -> Self {
        let session = Arc::clone(session);
        Self { session, mailbox: Arc::default(), open: Vec::new(), pages: Vec::new(), sleep: None }
    }

    /// The request to the client.
    ///
    /// ```json
    /// {"jsonrpc": "2.0", "id": 1, "method": "elicitation/create",
    ///  "params": {"message": "Sure?", "requestedSchema": {"type": "object", "properties": {}}}}
    /// ```
    ///
    /// # Errors
    ///
    /// Where the session's revision has no words for it.
    pub(super) fn ask(&mut self, key: String, asked: Asked) -> Result<Vec<u8>, Error> {
        let Asked { method, params } = asked;
        let mut elicitation_id = None;
        let params = translate::ask(self.session.revision(), &method, params, || {
            elicitation_id.insert(random_id()).clone()
        });
        let params = params.map_err(|why| Error::new(INVALID_REQUEST, why))?;
        let id = self.session.calls().ask(&self.mailbox).ok_or_else(|| refused(&method, &gone()))?;
        let deadline = Instant::now() + self.session.core().limits().ask_timeout;
        let line = request(id, &method, params.as_ref());
        self.open.push(Question { id, key, method, elicitation_id, deadline });
        Ok(line)
    }

    /// Takes a question back; gives what the client is told.
    pub(super) fn withdraw(&mut self, key: &str) -> Option<Vec<u8>> {
        let index = self.open.iter().position(|question| question.key == key)?;
        let question = self.open.swap_remove(index);
        self.session.calls().withdraw(question.id);
        Some(cancelled(question.id, "the answer is no longer needed"))
    }

    /// Takes all of them back; gives what the client is told.
    pub(super) fn withdraw_all(&mut self) -> Vec<Vec<u8>> {
        let calls = self.session.calls();
        let withdrawn = self.open.drain(..).map(|question| {
            calls.withdraw(question.id);
            cancelled(question.id, "the request that asked this is over")
        });
        withdrawn.collect()
    }

    /// "Servers MAY send a `notifications/elicitation/complete` notification when an out-of-band interaction started
    /// by URL mode elicitation is completed." (2025-11-25, client/elicitation)
    pub(super) fn completed_pages(&mut self) -> Vec<Vec<u8>> {
        let told =
            |id| notification("notifications/elicitation/complete", Some(&json!({ "elicitationId": id })));
        self.pages.drain(..).map(told).collect()
    }

    /// The next question that is answered or out of time.
    pub(super) fn poll_settled(&mut self, task: &mut Task<'_>) -> Poll<Settled> {
        if self.open.is_empty() {
            return Poll::Pending;
        }
        while let Some((id, answer)) = self.mailbox.take(task) {
            let Some(index) = self.open.iter().position(|question| question.id == id) else { continue };
            let Question { key, method, elicitation_id, .. } = self.open.swap_remove(index);
            let answer = match answer {
                Ok(result) => {
                    if result.get("action").is_some_and(|action| action == "accept") {
                        self.pages.extend(elicitation_id);
                    }
                    Ok(translate::asked_answer(self.session.revision(), &method, result))
                }
                Err(error) => Err(refused(&method, &error)),
            };
            return Poll::Ready(Settled { key, answer, notice: None });
        }
        self.poll_late(task)
    }

    /// "When the request has not received a success or error response within the timeout period, the sender SHOULD
    /// issue a cancellation notification for that request and stop waiting for a response." (basic/lifecycle,
    /// Timeouts)
    fn poll_late(&mut self, task: &mut Task<'_>) -> Poll<Settled> {
        let first = self.open.iter().enumerate().min_by_key(|(_, question)| question.deadline);
        let Some((index, deadline)) = first.map(|(index, question)| (index, question.deadline)) else {
            return Poll::Pending;
        };
        let sleep = self.sleep.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline)));
        if sleep.deadline() != deadline {
            sleep.as_mut().reset(deadline);
        }
        std::task::ready!(sleep.as_mut().poll(task));
        self.sleep = None;
        let Question { id, key, method, .. } = self.open.swap_remove(index);
        self.session.calls().withdraw(id);
        let answer = Err(late(&method, self.session.core().limits().ask_timeout));
        Poll::Ready(Settled { key, answer, notice: Some(cancelled(id, "timeout")) })
    }
}

impl Drop for Questions {
    /// The call was cancelled, or its client is gone.
    fn drop(&mut self) {
        for line in self.withdraw_all() {
            self.session.notify(line);
        }
    }
}

fn cancelled(id: QuestionId, reason: &str) -> Vec<u8> {
    notification("notifications/cancelled", Some(&json!({ "requestId": id, "reason": reason })))
}

fn refused(method: &str, error: &ClientError) -> Error {
    match error.code {
        0 => Error::internal(format!("The client did not answer `{method}`: {}", error.message)),
        code => Error::internal(format!(
            "The client answered `{method}` with the error {code}: {}",
            error.message
        )),
    }
}

fn late(method: &str, limit: Duration) -> Error {
    Error::internal(format!("The client did not answer `{method}` within {limit:?}"))
}

/// 128 random bits in hexadecimal.
fn random_id() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    format!("{:032x}", u128::from_ne_bytes(bytes))
}
