//! One request of a session, from its start to its answer.

use std::collections::VecDeque;
use std::sync::Arc;
use std::task::{Context as Task, Poll};
use std::time::Duration;

use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::ask::Questions;
use super::{Session, translate};
#[cfg(feature = "stdio")]
use crate::context::Context;
use crate::context::Outgoing;
use crate::dispatch::{self, Exchange, Reply};
use crate::input::{Asked, Demand};
use crate::message::{Message, Request};
use crate::protocol::{Error, Method};
use crate::server::Catalog;

/// What a request gives, in order.
#[derive(Debug)]
pub(crate) enum Event {
    /// A notification, or a question to the client.
    Message(Vec<u8>),
    /// The client may go, and come back for the rest after this time.
    #[cfg_attr(not(feature = "http"), allow(dead_code, reason = "clients of other transports stay"))]
    Release(Duration),
    /// The answer, and the end.
    Reply(Reply),
}

/// One request of a session. Dropping it cancels it, and takes its questions back.
pub(crate) struct Call {
    session: Arc<Session>,
    outgoing: Outgoing,
    running: Option<Running>,
    questions: Questions,
    lines: VecDeque<Vec<u8>>,
    reply: Option<Reply>,
}

struct Running {
    request: Request,
    method: Method,
    exchange: Exchange,
    /// The handler has returned to ask by hand.
    round: Option<Round>,
    rounds: usize,
}

/// The answers for the next run of a handler that asks by hand.
struct Round {
    state: Option<String>,
    missing: usize,
    answers: Map<String, Value>,
}

/// Runs of a handler that asks by hand; one that never ends asking is stopped.
const ROUNDS: usize = 1000;

/// What the core says to a handler that asks by hand.
#[derive(Deserialize)]
struct Suspended {
    result: InputRequired,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InputRequired {
    #[serde(default)]
    input_requests: Map<String, Value>,
    request_state: Option<String>,
}

impl Call {
    pub(super) fn new(
        session: &Arc<Session>,
        catalog: Arc<Catalog>,
        request: Request,
        method: Method,
        outgoing: Outgoing,
    ) -> Self {
        let exchange = session.exchange(catalog, request.clone(), method, outgoing);
        let running = Running { request, method, exchange, round: None, rounds: 0 };
        Self { running: Some(running), ..Self::idle(session, outgoing) }
    }

    /// A request that was answered at once.
    pub(super) fn answered(session: &Arc<Session>, reply: Reply) -> Self {
        Self { reply: Some(reply), ..Self::idle(session, Outgoing::Discarded) }
    }

    fn idle(session: &Arc<Session>, outgoing: Outgoing) -> Self {
        Self {
            session: Arc::clone(session),
            outgoing,
            running: None,
            questions: Questions::new(session),
            lines: VecDeque::new(),
            reply: None,
        }
    }

    /// The answer, if it is there already and nothing comes before it.
    pub(crate) fn take_immediate(&mut self) -> Option<Reply> {
        if let Some(running) = &mut self.running {
            let reply = running.exchange.take_immediate()?;
            self.conclude(reply);
        }
        if self.lines.is_empty() { self.reply.take() } else { None }
    }

    pub(crate) fn poll_event(&mut self, task: &mut Task<'_>) -> Poll<Event> {
        loop {
            if let Some(line) = self.lines.pop_front() {
                return Poll::Ready(Event::Message(line));
            }
            if let Some(reply) = self.reply.take() {
                return Poll::Ready(Event::Reply(reply));
            }
            let Some(running) = &mut self.running else { return Poll::Pending };
            if let Poll::Ready(settled) = self.questions.poll_settled(task) {
                self.lines.extend(settled.notice);
                self.settle(&settled.key, settled.answer);
                continue;
            }
            if running.round.is_some() {
                return Poll::Pending;
            }
            match running.exchange.poll_event(task) {
                Poll::Ready(dispatch::Event::Notification(line)) => {
                    self.lines.extend(translate::notification(self.session.revision(), line));
                    continue;
                }
                Poll::Ready(dispatch::Event::Reply(reply)) => {
                    self.conclude(reply);
                    continue;
                }
                Poll::Pending => {}
            }
            match running.exchange.poll_demand(task) {
                Poll::Ready(Demand::Ask { key, asked }) => self.ask(key, asked),
                Poll::Ready(Demand::Withdraw { key }) => self.lines.extend(self.questions.withdraw(&key)),
                Poll::Ready(Demand::Release(retry)) => return Poll::Ready(Event::Release(retry)),
                Poll::Pending => return Poll::Pending,
            }
        }
    }

    /// The client is gone for good: the request is cancelled, unless its handler has detached it.
    #[cfg(feature = "http")]
    pub(super) fn abandon(mut self, held: impl Send + 'static) {
        if let Some(running) = self.running.take() {
            running.exchange.abandon(held);
        }
    }

    /// The context of its first run.
    #[cfg(feature = "stdio")]
    pub(crate) fn context(&self) -> Option<&Context> {
        self.running.as_ref().and_then(|running| running.exchange.context())
    }

    /// The next event.
    pub(crate) async fn next(&mut self) -> Event {
        std::future::poll_fn(|task| self.poll_event(task)).await
    }

    fn ask(&mut self, key: String, asked: Asked) {
        let asked = match self.outgoing {
            Outgoing::Open => self.questions.ask(key.clone(), asked),
            Outgoing::Discarded => Err(Error::internal(
                "The client takes no stream (`Accept: text/event-stream`), so it cannot be asked",
            )),
        };
        match asked {
            Ok(line) => self.lines.push_back(line),
            Err(error) => self.settle(&key, Err(error)),
        }
    }

    /// Passes an answer on to who waits for it.
    fn settle(&mut self, key: &str, answer: Result<Value, Error>) {
        let Some(running) = &mut self.running else { return };
        let Some(round) = &mut running.round else { return running.exchange.answer(key, answer) };
        match answer {
            Ok(answer) => {
                round.answers.insert(key.to_owned(), answer);
                round.missing -= 1;
                if round.missing == 0 {
                    self.run_again();
                }
            }
            Err(error) => self.fail(&error),
        }
    }

    /// Takes the core's answer, which is the end unless it asks by hand.
    fn conclude(&mut self, reply: Reply) {
        if !reply.is_suspended {
            return self.end(reply);
        }
        let Some(running) = &mut self.running else { return };
        let Ok(Suspended { result }) = serde_json::from_slice(&reply.bytes) else {
            return self.fail(&Error::internal("Internal error"));
        };
        let asked: Vec<(String, Asked)> = result
            .input_requests
            .into_iter()
            .filter_map(|(key, asked)| Some((key, serde_json::from_value(asked).ok()?)))
            .collect();
        let missing = asked.len();
        running.round = Some(Round { state: result.request_state, missing, answers: Map::new() });
        if asked.is_empty() {
            return self.run_again();
        }
        for (key, asked) in asked {
            self.ask(key, asked);
        }
    }

    /// Runs a handler that asks by hand again, with what it asked for: what a client of the current revision does.
    fn run_again(&mut self) {
        let catalog = self.session.core().catalog();
        let Some(running) = &mut self.running else { return };
        let Some(round) = running.round.take() else { return };
        running.rounds += 1;
        let again = again(&running.request, round).filter(|_| running.rounds < ROUNDS);
        let Some(request) = again else {
            tracing::error!("a handler that asks by hand was run {} times, and still asks", running.rounds);
            return self.fail(&Error::internal("The handler does not come to an end"));
        };
        running.exchange = self.session.exchange(catalog, request, running.method, self.outgoing);
    }

    fn fail(&mut self, error: &Error) {
        if let Some(running) = &self.running {
            let reply = Reply::error(Some(running.request.id()), error);
            self.end(reply);
        }
    }

    /// The last messages, and the answer as the session's revision has it.
    fn end(&mut self, reply: Reply) {
        let Some(running) = self.running.take() else { return };
        self.lines.extend(self.questions.withdraw_all());
        if reply.error.is_none() {
            self.lines.extend(self.questions.completed_pages());
        }
        let revision = self.session.revision();
        let bytes = translate::answer(revision, running.request.method(), reply.bytes, reply.error);
        self.reply = Some(Reply { bytes, ..reply });
    }
}

/// The request with the answers to what it was answered with.
fn again(request: &Request, round: Round) -> Option<Request> {
    let text = request.text.as_str().trim_start_matches('\u{feff}');
    let mut message: Value = serde_json::from_str(text).ok()?;
    let params = message.get_mut("params")?.as_object_mut()?;
    params.insert("inputResponses".to_owned(), round.answers.into());
    params.insert("requestState".to_owned(), round.state.into());
    match Message::read(Bytes::from(message.to_string())) {
        Message::Request(request) => Some(*request),
        _ => None,
    }
}
