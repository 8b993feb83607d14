//! What a line leads to.
//!
//! # A client that reads slowly
//!
//! While more than [`FULL`](super::outbound::FULL) bytes wait to be written, requests are read but held back,
//! so that a `notifications/cancelled` behind them still arrives and takes effect. When as much is held back
//! as the largest message may have, reading stops as well, and the client's writes block. Memory is bounded
//! by that, and by one message for each request in flight.

use std::collections::VecDeque;
use std::sync::Arc;

use super::framing::Line;
use super::outbound::{Outbound, Serial};
use crate::context::{Context, Outgoing};
use crate::dispatch::{Event, Exchange, Reply, admit};
use crate::message::{Malformed, Message, Notification, Request};
use crate::output::ToolWriter;
use crate::protocol::{Error, INVALID_REQUEST, Method};
use crate::server::Core;

/// One client's requests. Dropping it cancels what is in flight.
pub(super) struct Session {
    core: Arc<Core>,
    outbound: Arc<Outbound>,
    held: VecDeque<Held>,
    held_bytes: usize,
}

/// What came while the client was not reading.
enum Held {
    Request(Box<Request>),
    /// The answer to a line that is no request.
    Answer(Vec<u8>),
}

impl Held {
    fn size(&self) -> usize {
        match self {
            Self::Request(request) => request.text.as_str().len(),
            Self::Answer(bytes) => bytes.len(),
        }
    }
}

impl Session {
    pub(super) fn new(core: Arc<Core>, outbound: Arc<Outbound>) -> Self {
        Self { core, outbound, held: VecDeque::new(), held_bytes: 0 }
    }

    /// Takes one line: answers it, starts it, or holds it back.
    pub(super) fn accept(&mut self, line: Line) {
        match line {
            Line::Message(bytes) => match Message::read(bytes) {
                Message::Request(request) => self.enqueue(Held::Request(request)),
                Message::Notification(notification) => self.heed(&notification),
                Message::Response => tracing::debug!("ignored: clients do not send JSON-RPC responses"),
                Message::Malformed(Malformed { id, error }) => self.refuse(id.as_deref(), &error),
            },
            Line::TooLong => {
                let limit = self.core.limits().body;
                let why = format!("Invalid Request: the message is longer than {limit} bytes");
                self.refuse(None, &Error::new(INVALID_REQUEST, why));
            }
        }
    }

    /// Starts what was held back, as far as there is room.
    pub(super) fn resume(&mut self) {
        while self.outbound.has_room()
            && let Some(held) = self.held.pop_front()
        {
            self.held_bytes -= held.size();
            self.start(held);
        }
    }

    /// Whether something is held back.
    pub(super) fn holds(&self) -> bool {
        !self.held.is_empty()
    }

    /// Whether more may be held back.
    pub(super) fn may_read(&self) -> bool {
        self.held_bytes < self.core.limits().body
    }

    fn refuse(&mut self, id: Option<&str>, error: &Error) {
        self.enqueue(Held::Answer(Reply::error(id, error).bytes));
    }

    fn enqueue(&mut self, item: Held) {
        if self.held.is_empty() && self.outbound.has_room() {
            self.start(item);
        } else {
            self.held_bytes += item.size();
            self.held.push_back(item);
        }
    }

    /// "Invalid cancellation notifications SHOULD be ignored." (basic/patterns/cancellation)
    fn heed(&mut self, notification: &Notification) {
        if notification.method != "notifications/cancelled" {
            tracing::debug!("ignored: the notification `{}` is not known", notification.method);
            return;
        }
        let Some(id) = notification.request_id.as_deref() else { return };
        let mut found = self.outbound.cancel(id);
        self.held.retain(|held| {
            let is_meant = matches!(held, Held::Request(request) if request.canonical_id() == id);
            if is_meant {
                self.held_bytes -= held.size();
                found = true;
            }
            !is_meant
        });
        // "Both parties SHOULD log cancellation reasons for debugging."
        let reason = notification.reason.as_deref().unwrap_or("no reason given");
        if found {
            tracing::debug!("request {id} is cancelled: {reason}");
        } else {
            tracing::debug!("ignored: request {id}, to be cancelled ({reason}), is not in flight");
        }
    }

    fn start(&self, held: Held) {
        match held {
            Held::Answer(bytes) => self.outbound.push(bytes),
            Held::Request(request) => self.start_request(*request),
        }
    }

    fn start_request(&self, request: Request) {
        let answer_error = |request: &Request, error: &Error| {
            self.outbound.push(Reply::error(Some(request.id.json(&request.text)), error).bytes);
        };
        let id = request.canonical_id();
        if self.outbound.is_in_flight(&id) {
            // "The request ID MUST NOT match the ID of any other request the sender has issued and not yet
            // received a response for." (basic/index, Requests)
            let why = format!("Invalid Request: a request with the id {id} is in flight");
            return answer_error(&request, &Error::new(INVALID_REQUEST, why));
        }
        let admitted = match admit(&self.core, &request) {
            Ok(admitted) => admitted,
            Err(error) => return answer_error(&request, &error),
        };
        let id = id.into_owned();
        let is_call = matches!(&admitted.method, Ok(Method::ToolsCall));
        let ctx = Context::new(Arc::clone(&self.core), request, Outgoing::Open);
        let mut exchange = Exchange::start(ctx.clone(), admitted.method);
        if let Some(reply) = exchange.take_immediate() {
            self.outbound.push(reply.bytes);
        } else if self.outbound.in_flight() >= self.core.limits().in_flight {
            self.outbound.push(busy(&ctx, is_call));
        } else {
            let serial = self.outbound.take_off(&id);
            let flight = Flight { outbound: Arc::clone(&self.outbound), id: id.clone(), serial };
            let task = tokio::spawn(flight.run(exchange));
            self.outbound.set_task(&id, serial, task.abort_handle());
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.outbound.cancel_all();
        self.outbound.finish();
    }
}

/// The specification has no code for overload: a tool tells the model, anything else is `-32603`.
fn busy(ctx: &Context, is_call: bool) -> Vec<u8> {
    let limit = ctx.core().limits().in_flight;
    let text = format!("The server is busy with {limit} requests; try again when some of them are answered");
    if is_call {
        let mut out = ToolWriter::for_context(ctx);
        out.error(&text);
        out.finish().into_bytes()
    } else {
        Reply::error(Some(ctx.request_id()), &Error::internal(text)).bytes
    }
}

/// One request in flight, as the task that drives it.
struct Flight {
    outbound: Arc<Outbound>,
    id: String,
    serial: Serial,
}

impl Flight {
    async fn run(self, mut exchange: Exchange) {
        loop {
            match exchange.next().await {
                Event::Notification(bytes) => self.outbound.notify(&self.id, self.serial, bytes).await,
                Event::Reply(reply) => {
                    return self.outbound.answer(&self.id, self.serial, reply.bytes).await;
                }
            }
        }
    }
}

impl Drop for Flight {
    /// A request whose task ends without an answer, though nobody cancelled it, is answered all the same.
    fn drop(&mut self) {
        self.outbound.answer_anyway(&self.id, self.serial, || {
            Reply::error(Some(&self.id), &Error::internal("Internal error")).bytes
        });
    }
}
