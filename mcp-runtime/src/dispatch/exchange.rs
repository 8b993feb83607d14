//! One request in flight, as a transport sees it: notifications, then the answer.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context as Task, Poll};

use tokio::time::Sleep;

use super::{Begun, Reply, begin};
use crate::context::Context;
use crate::protocol::{Error, Method};

/// What an exchange gives next.
#[derive(Debug)]
pub(crate) enum Event {
    /// A notification that relates to the request.
    Notification(Vec<u8>),
    /// The answer; nothing follows it.
    Reply(Reply),
}

/// One request in flight. Dropping it cancels the request.
pub(crate) struct Exchange {
    ctx: Context,
    work: Option<Pin<Box<dyn Future<Output = Reply> + Send>>>,
    /// What came before the reply, and the reply itself, when the work is done.
    rest: VecDeque<Vec<u8>>,
    reply: Option<Reply>,
    /// Wakes for progress that was held back.
    held: Option<Pin<Box<Sleep>>>,
}

impl Exchange {
    /// Starts the request.
    pub(crate) fn start(ctx: Context, method: Result<Method, Error>) -> Self {
        let begun = match method {
            Ok(method) => begin(&ctx, method),
            Err(error) => Begun::Done(Reply::error(Some(ctx.request_id()), &error)),
        };
        let mut exchange = Self { ctx, work: None, rest: VecDeque::new(), reply: None, held: None };
        match begun {
            Begun::Done(reply) => exchange.done(reply),
            Begun::Waiting(work) => exchange.work = Some(work),
        }
        exchange
    }

    /// The answer, if the request is done and left no notification before it.
    pub(crate) fn take_immediate(&mut self) -> Option<Reply> {
        if self.rest.is_empty() { self.reply.take() } else { None }
    }

    /// The next event. Not to be called again after the reply.
    pub(crate) fn poll_event(&mut self, task: &mut Task<'_>) -> Poll<Event> {
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
        loop {
            if let Poll::Ready(line) = self.ctx.outbox().poll_next(task) {
                self.held = None;
                return Poll::Ready(Event::Notification(line));
            }
            let Some(until) = self.ctx.outbox().held_until() else { return Poll::Pending };
            let held = self.held.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(until.into())));
            if held.as_mut().poll(task).is_pending() {
                return Poll::Pending;
            }
            self.held = None;
        }
    }

    /// The next event.
    pub(crate) async fn next(&mut self) -> Event {
        std::future::poll_fn(|task| self.poll_event(task)).await
    }

    fn done(&mut self, reply: Reply) {
        self.rest = self.ctx.outbox().close();
        self.reply = Some(reply);
    }
}
