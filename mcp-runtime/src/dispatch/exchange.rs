//! One request in flight, as a transport sees it: notifications, then the answer.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as Task, Poll};

use serde_json::Value;
use tokio::time::Sleep;

use super::heartbeat::Heartbeat;
use super::listen::Listening;
use super::{Begun, Reply, begin};
use crate::context::Context;
use crate::input::Demand;
use crate::protocol::{Error, Method};

/// What an exchange gives next.
#[derive(Debug)]
pub(crate) enum Event {
    /// A notification that relates to the request.
    Notification(Vec<u8>),
    /// The answer; nothing follows it.
    Reply(Reply),
}

/// One request in flight. Dropping it cancels the request; see [`Attended`](super::Attended).
pub(crate) struct Exchange(Kind);

enum Kind {
    Call(Running),
    Listening(Box<Listening>),
}

/// A request that ends with an answer of its own accord.
struct Running {
    ctx: Context,
    work: Option<Pin<Box<dyn Future<Output = Reply> + Send>>>,
    /// What came before the reply, and the reply itself, when the work is done.
    rest: VecDeque<Vec<u8>>,
    reply: Option<Reply>,
    /// Wakes for progress that was held back.
    held: Option<Pin<Box<Sleep>>>,
    heartbeat: Heartbeat,
}

impl Exchange {
    /// Starts the request.
    pub(crate) fn start(ctx: Context, method: Result<Method, Error>) -> Self {
        let begun = match method {
            Ok(method) => begin(&ctx, method),
            Err(error) => Begun::Done(Reply::error(Some(ctx.request_id()), &error)),
        };
        let mut running = Running {
            ctx,
            work: None,
            rest: VecDeque::new(),
            reply: None,
            held: None,
            heartbeat: Heartbeat::default(),
        };
        match begun {
            Begun::Done(reply) => running.done(reply),
            Begun::Waiting(work) => running.work = Some(work),
            // The request and its context go: what is kept of them is the id.
            Begun::Listening(listening) => return Self(Kind::Listening(listening)),
        }
        Self(Kind::Call(running))
    }

    /// Whether it is a stream of notifications, which only its client or the end of the server ends.
    pub(crate) fn is_listening(&self) -> bool {
        matches!(self.0, Kind::Listening(_))
    }

    /// The context of a request that ends of its own accord.
    #[cfg(feature = "stdio")]
    pub(crate) fn context(&self) -> Option<&Context> {
        match &self.0 {
            Kind::Call(running) => Some(&running.ctx),
            Kind::Listening(_) => None,
        }
    }

    /// The answer, if the request is done and left no notification before it.
    pub(crate) fn take_immediate(&mut self) -> Option<Reply> {
        match &mut self.0 {
            Kind::Call(running) if running.rest.is_empty() => running.reply.take(),
            Kind::Call(_) | Kind::Listening(_) => None,
        }
    }

    /// The next event. Not to be called again after the reply.
    pub(crate) fn poll_event(&mut self, task: &mut Task<'_>) -> Poll<Event> {
        match &mut self.0 {
            Kind::Call(running) => running.poll_event(task),
            Kind::Listening(listening) => listening.poll_event(task),
        }
    }

    /// What the call wants of a transport that can ask the client meanwhile; nothing else asks for it.
    pub(crate) fn poll_demand(&self, task: &mut Task<'_>) -> Poll<Demand> {
        match &self.0 {
            Kind::Call(running) => running.ctx.flow().poll_demand(task),
            Kind::Listening(_) => Poll::Pending,
        }
    }

    /// The client's answer to what the call asked for, or why there is none.
    pub(crate) fn answer(&self, key: &str, answer: Result<Value, Error>) {
        if let Kind::Call(running) = &self.0 {
            running.ctx.flow().answer_live(key, answer);
        }
    }

    /// The client is gone: the request is cancelled, unless its handler has detached it. Then it goes on, and `held`
    /// is dropped at its end.
    pub(crate) fn abandon(self, held: impl Send + 'static) {
        let Kind::Call(Running { ctx, work: Some(work), .. }) = self.0 else { return };
        if ctx.is_detached() {
            // "Progress notifications MUST stop": nobody takes what is said from here on.
            ctx.outbox().close();
            Arc::clone(ctx.core()).detached().go_on(ctx, work, held);
        }
    }

    /// The next event.
    pub(crate) async fn next(&mut self) -> Event {
        std::future::poll_fn(|task| self.poll_event(task)).await
    }
}

impl Running {
    fn poll_event(&mut self, task: &mut Task<'_>) -> Poll<Event> {
        if let Some(work) = &mut self.work
            && let Poll::Ready(reply) = work.as_mut().poll(task)
        {
            self.work = None;
            self.done(reply);
        }
        if self.work.is_none() {
            if let Some(line) = self.rest.pop_front() {
                return Poll::Ready(Event::Notification(line));
            }
            return self.reply.take().map_or(Poll::Pending, |reply| Poll::Ready(Event::Reply(reply)));
        }
        if let Poll::Ready(line) = self.poll_said(task) {
            self.heartbeat.reset();
            return Poll::Ready(Event::Notification(line));
        }
        self.heartbeat.poll(&self.ctx, task).map(Event::Notification)
    }

    /// What the handler has to say.
    fn poll_said(&mut self, task: &mut Task<'_>) -> Poll<Vec<u8>> {
        loop {
            if let Poll::Ready(line) = self.ctx.outbox().poll_next(task) {
                self.held = None;
                return Poll::Ready(line);
            }
            let Some(until) = self.ctx.outbox().held_until() else { return Poll::Pending };
            let held = self.held.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(until.into())));
            if held.as_mut().poll(task).is_pending() {
                return Poll::Pending;
            }
            self.held = None;
        }
    }

    fn done(&mut self, reply: Reply) {
        self.rest = self.ctx.outbox().close();
        self.reply = Some(reply);
    }
}
