//! One request in flight, as the task that drives it.

use std::sync::Arc;

use super::batch::Seat;
use super::outbound::{Outbound, Serial};
use crate::context::Context;
use crate::dispatch::{self, Exchange, Reply};
use crate::legacy;
use crate::protocol::Error;

/// A request of either era that is not answered yet.
pub(super) enum Running {
    Modern(Exchange),
    Legacy(Box<legacy::Call>),
}

/// What a request has to say next.
enum Step {
    Message(Vec<u8>),
    Answer(Vec<u8>),
}

impl Running {
    /// Whether it goes on until its client or the server ends it.
    pub(super) fn is_listening(&self) -> bool {
        matches!(self, Self::Modern(exchange) if exchange.is_listening())
    }

    /// What tells whether it goes on without its client.
    pub(super) fn context(&self) -> Option<Context> {
        match self {
            Self::Modern(exchange) => exchange.context().cloned(),
            Self::Legacy(call) => call.context().cloned(),
        }
    }

    async fn next(&mut self) -> Step {
        match self {
            Self::Modern(exchange) => match exchange.next().await {
                dispatch::Event::Notification(line) => Step::Message(line),
                dispatch::Event::Reply(reply) => Step::Answer(reply.bytes),
            },
            Self::Legacy(call) => loop {
                match call.next().await {
                    legacy::Event::Message(line) => return Step::Message(line),
                    legacy::Event::Reply(reply) => return Step::Answer(reply.bytes),
                    // There is no connection of its own to close.
                    legacy::Event::Release(_) => {}
                }
            },
        }
    }
}

/// One request in flight. It ends with an answer, or by being dropped.
pub(super) struct Flight {
    pub(super) outbound: Arc<Outbound>,
    pub(super) id: String,
    pub(super) serial: Serial,
    /// Its place in a batch, where it came in one.
    pub(super) seat: Option<Seat>,
}

impl Flight {
    pub(super) async fn run(mut self, mut running: Running) {
        loop {
            match running.next().await {
                Step::Message(bytes) => self.outbound.notify(&self.id, self.serial, bytes).await,
                Step::Answer(bytes) => return self.answer(bytes).await,
            }
        }
    }

    async fn answer(&mut self, bytes: Vec<u8>) {
        match self.seat.take() {
            None => self.outbound.answer(&self.id, self.serial, bytes).await,
            Some(seat) if self.outbound.settle(&self.id, self.serial) => seat.answer(bytes),
            Some(_) => {}
        }
    }
}

impl Drop for Flight {
    /// A request whose task ends without an answer, though nobody cancelled it, is answered all the same.
    fn drop(&mut self) {
        let error = || Reply::error(Some(&self.id), &Error::internal("Internal error")).bytes;
        match self.seat.take() {
            None => self.outbound.answer_anyway(&self.id, self.serial, error),
            Some(seat) if self.outbound.settle(&self.id, self.serial) => seat.answer(error()),
            Some(_) => {}
        }
    }
}
