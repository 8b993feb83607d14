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

use super::batch::Seat;
use super::flight::{Flight, Running};
use super::framing::Line;
use super::legacy_side::LegacySide;
use super::outbound::Outbound;
use crate::context::{Context, Outgoing};
use crate::dispatch::{Exchange, Reply, admit};
use crate::legacy;
use crate::message::{Malformed, Message, Notification, Request};
use crate::output::ToolWriter;
use crate::protocol::{Error, INVALID_REQUEST, Method};
use crate::server::Core;

/// One client's requests. Dropping it cancels what is in flight.
pub(super) struct Session {
    core: Arc<Core>,
    outbound: Arc<Outbound>,
    /// The client of an older revision that has introduced itself.
    legacy: Option<LegacySide>,
    held: VecDeque<Held>,
    held_bytes: usize,
}

/// What came while the client was not reading.
enum Held {
    Request(Box<Request>, Option<Seat>),
    /// The answer to a line that is no request.
    Answer(Vec<u8>, Option<Seat>),
}

impl Held {
    fn size(&self) -> usize {
        match self {
            Self::Request(request, _) => request.text.as_str().len(),
            Self::Answer(bytes, _) => bytes.len(),
        }
    }
}

impl Session {
    pub(super) fn new(core: Arc<Core>, outbound: Arc<Outbound>) -> Self {
        Self { core, outbound, legacy: None, held: VecDeque::new(), held_bytes: 0 }
    }

    /// Takes one line: answers it, starts it, or holds it back.
    pub(super) fn accept(&mut self, line: Line) {
        match line {
            Line::Message(bytes) if self.takes_batches() => match Message::read_batch(&bytes) {
                None => self.accept_message(Message::read(bytes), None),
                Some(Ok(messages)) => {
                    let seat = Seat::new(&self.outbound);
                    for message in messages {
                        self.accept_message(message, Some(seat.clone()));
                    }
                }
                Some(Err(error)) => self.refuse(None, &error, None),
            },
            Line::Message(bytes) => self.accept_message(Message::read(bytes), None),
            Line::TooLong => {
                let limit = self.core.limits().body;
                let why = format!("Invalid Request: the message is longer than {limit} bytes");
                self.refuse(None, &Error::new(INVALID_REQUEST, why), None);
            }
        }
    }

    fn takes_batches(&self) -> bool {
        self.legacy.as_ref().is_some_and(|legacy| legacy.session().revision().has_batches())
    }

    fn accept_message(&mut self, message: Message, seat: Option<Seat>) {
        match message {
            Message::Request(request) => self.enqueue(Held::Request(request, seat)),
            Message::Notification(notification) => self.heed(&notification),
            Message::Response(response) => {
                if let Some(legacy) = &self.legacy {
                    legacy.session().heed_response(&response);
                } else {
                    tracing::debug!("ignored: clients do not send JSON-RPC responses");
                }
            }
            Message::Malformed(Malformed { id, error }) => self.refuse(id.as_deref(), &error, seat),
        }
    }

    /// No more will come: what the client was asked it cannot answer.
    pub(super) fn input_ended(&mut self) {
        if let Some(legacy) = &self.legacy {
            legacy.session().input_ended();
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

    /// Ends the subscriptions: the server is going to stop.
    pub(super) fn end_subscriptions(&self) {
        self.core.hub().close();
    }

    fn refuse(&mut self, id: Option<&str>, error: &Error, seat: Option<Seat>) {
        self.enqueue(Held::Answer(Reply::error(id, error).bytes, seat));
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
            if let Some(legacy) = &self.legacy {
                legacy.session().heed(notification);
            } else {
                tracing::debug!("ignored: the notification `{}` is not known", notification.method);
            }
            return;
        }
        let Some(id) = notification.request_id.as_deref() else { return };
        let mut found = self.outbound.cancel(id);
        self.held.retain(|held| {
            let is_meant = matches!(held, Held::Request(request, _) if request.canonical_id() == id);
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

    fn start(&mut self, held: Held) {
        match held {
            Held::Answer(bytes, seat) => self.push(bytes, seat),
            Held::Request(request, seat) => self.start_request(*request, seat),
        }
    }

    /// Sends a message that belongs to no request in flight.
    fn push(&self, bytes: Vec<u8>, seat: Option<Seat>) {
        match seat {
            None => self.outbound.push(bytes),
            Some(seat) => seat.answer(bytes),
        }
    }

    fn start_request(&mut self, request: Request, seat: Option<Seat>) {
        let id = request.canonical_id();
        if self.outbound.is_in_flight(&id) {
            // "The request ID MUST NOT match the ID of any other request the sender has issued and not yet
            // received a response for." (basic/index, Requests)
            let why = format!("Invalid Request: a request with the id {id} is in flight");
            let reply = Reply::error(Some(request.id()), &Error::new(INVALID_REQUEST, why));
            return self.push(reply.bytes, seat);
        }
        match self.era(&request) {
            Era::Modern => self.start_modern(request),
            Era::Handshake => self.shake_hands(&request, seat),
            Era::Legacy(session) => self.start_legacy(&session, request, seat),
            Era::Ping => self.push(legacy::ping(&request).bytes, seat),
            Era::Unopened => {
                let error = Error::new(INVALID_REQUEST, "Invalid Request: send `initialize` first");
                self.push(Reply::error(Some(request.id()), &error).bytes, seat);
            }
        }
    }

    /// "A request carrying modern per-request `_meta` is served statelessly according to this revision. An
    /// `initialize` request selects legacy semantics, scoped to the stdio process" (basic/versioning).
    fn era(&self, request: &Request) -> Era {
        let eras = self.core.eras();
        if !eras.has_legacy() || eras.has_modern() && request.is_modern() {
            return Era::Modern;
        }
        match (request.method(), &self.legacy) {
            ("initialize", _) => Era::Handshake,
            (_, Some(legacy)) => Era::Legacy(Arc::clone(legacy.session())),
            // "The client SHOULD NOT send requests other than pings before the server has responded to the
            // `initialize` request." (2025-11-25, basic/lifecycle)
            ("ping", None) => Era::Ping,
            (_, None) if eras.has_modern() => Era::Modern,
            (_, None) => Era::Unopened,
        }
    }

    fn start_modern(&self, request: Request) {
        let admitted = match admit(&self.core, &request) {
            Ok(admitted) => admitted,
            Err(error) => return self.outbound.push(Reply::error(Some(request.id()), &error).bytes),
        };
        let id = request.canonical_id().into_owned();
        let is_call = matches!(&admitted.method, Ok(Method::ToolsCall));
        let ctx = Context::new(Arc::clone(&self.core), admitted.catalog, request, Outgoing::Open);
        let mut exchange = Exchange::start(ctx.clone(), admitted.method);
        if let Some(reply) = exchange.take_immediate() {
            self.outbound.push(reply.bytes);
        } else if !exchange.is_listening() && self.outbound.at_work() >= self.core.limits().in_flight {
            self.outbound.push(busy(&ctx, is_call));
        } else {
            self.take_off(id, Running::Modern(exchange), None);
        }
    }

    /// A client that introduces itself again starts over.
    fn shake_hands(&mut self, request: &Request, seat: Option<Seat>) {
        match legacy::initialize(&self.core, request) {
            Ok((session, reply)) => {
                self.push(reply.bytes, seat);
                self.legacy = Some(LegacySide::new(session, Arc::clone(&self.outbound)));
            }
            Err(reply) => self.push(reply.bytes, seat),
        }
    }

    fn start_legacy(&self, session: &Arc<legacy::Session>, request: Request, seat: Option<Seat>) {
        let id = request.canonical_id().into_owned();
        let mut call = session.begin(request, Outgoing::Open);
        if let Some(reply) = call.take_immediate() {
            self.push(reply.bytes, seat);
        } else if self.outbound.at_work() >= self.core.limits().in_flight {
            let error = Error::internal(busy_text(self.core.limits().in_flight));
            self.push(Reply::error(Some(&id), &error).bytes, seat);
        } else {
            self.take_off(id, Running::Legacy(Box::new(call)), seat);
        }
    }

    fn take_off(&self, id: String, running: Running, seat: Option<Seat>) {
        let serial = self.outbound.take_off(&id, running.is_listening(), running.context());
        let flight = Flight { outbound: Arc::clone(&self.outbound), id: id.clone(), serial, seat };
        let task = match running {
            Running::Modern(exchange) if exchange.is_listening() => tokio::spawn(flight.listen(exchange)),
            running => tokio::spawn(flight.run(running)),
        };
        self.outbound.set_task(&id, serial, task.abort_handle());
    }
}

/// How a request is served.
enum Era {
    Modern,
    Handshake,
    Legacy(Arc<legacy::Session>),
    Ping,
    Unopened,
}

impl Drop for Session {
    fn drop(&mut self) {
        self.outbound.cancel_all();
        self.outbound.finish();
    }
}

/// The specification has no code for overload: a tool tells the model, anything else is `-32603`.
fn busy(ctx: &Context, is_call: bool) -> Vec<u8> {
    let text = busy_text(ctx.core().limits().in_flight);
    if is_call {
        let mut out = ToolWriter::for_context(ctx);
        out.error(&text);
        out.finish().into_bytes()
    } else {
        Reply::error(Some(ctx.request_id()), &Error::internal(text)).bytes
    }
}

fn busy_text(limit: usize) -> String {
    format!("The server is busy with {limit} requests; try again when some of them are answered")
}
