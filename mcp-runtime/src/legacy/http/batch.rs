//! Several messages in one POST, which revision 2025-03-26 has.

use bytes::Bytes;
use http::request::Parts;
use http::{Response, StatusCode};

use super::connection::Connection;
use super::flight::launch;
use super::post::{ended, outgoing, reused_id, streamed};
use super::session::Grounded;
use super::usage::Use;
use super::{Answered, Endpoint, endpoint, header, later, now, refusal};
use crate::context::Outgoing;
use crate::dispatch::Reply;
use crate::legacy::Call;
use crate::message::{Malformed, Message, Request};
use crate::output::error_response;
use crate::protocol::Error;
use crate::transport::http::{Accepts, HttpBody, Permit, Refusal, accepted, event, events, json};

impl Endpoint {
    /// Whether a body is an array in a session, which is a batch where its revision has them.
    pub(crate) fn is_batch(&self, parts: &Parts, bytes: &Bytes) -> bool {
        bytes.trim_ascii_start().first() == Some(&b'[')
            && header::has_session(&parts.headers)
            && !(self.core.eras().has_modern() && header::names_modern(&parts.headers))
    }

    /// Answers a batch.
    ///
    /// "If the input contains any number of JSON-RPC requests, the server MUST either return `Content-Type:
    /// text/event-stream`, to initiate an SSE stream, or `Content-Type: application/json`" (2025-03-26,
    /// basic/transports, Sending Messages to the Server).
    pub(crate) fn batch(&self, parts: &Parts, bytes: &Bytes, permit: Permit) -> Answered {
        let user = self.named_session(&parts.headers)?;
        let accepts = Accepts::of(&parts.headers);
        let Some(session) = user.session() else { return Err(refusal::session_not_found()) };
        if !session.revision().has_batches() {
            let revision = session.revision();
            return Err(Refusal::bad_request(format!(
                "revision {revision} has no batches; send one message at a time"
            )));
        }
        let messages = match Message::read_batch(bytes) {
            Some(Ok(messages)) => messages,
            Some(Err(error)) => return now(json(StatusCode::BAD_REQUEST, error_response(None, &error))),
            None => return Err(Refusal::bad_request("the batch is no array")),
        };
        let mut begun = Begun::default();
        for message in messages {
            begun.take(&user, message, outgoing(accepts));
        }
        if begun.is_empty() {
            return now(accepted());
        }
        if begun.running.is_empty() {
            return now(whole(begun.answers.into_iter().map(Bytes::from), accepts));
        }
        self.run(user, begun, accepts, permit)
    }

    /// Runs what was not answered at once.
    fn run(&self, user: Use, begun: Begun, accepts: Accepts, permit: Permit) -> Answered {
        let Begun { answers, running } = begun;
        let stream = user.stream(answers.len() + running.len());
        let connection = Connection::of_calls(user.clone(), &stream, 0);
        for answer in answers {
            stream.answer(answer);
        }
        let mut first = Some(permit);
        for (id, call) in running {
            let permit = first.take().map_or_else(|| self.in_flight.enter(), Ok);
            let Ok(permit) = permit else {
                stream.answer(busy(&id).bytes);
                continue;
            };
            match launch(&user, &id, call, &stream, permit) {
                Ok(()) => {}
                Err(Grounded::SameId) => stream.answer(reused_id(&id).bytes),
                Err(Grounded::SessionOver) => return Err(refusal::session_not_found()),
            }
        }
        if accepts.stream {
            return now(streamed(&user, connection));
        }
        later(all(user, connection, accepts))
    }
}

/// The answers when there are all of them.
async fn all(user: Use, connection: Connection, accepts: Accepts) -> Result<Response<HttpBody>, Refusal> {
    let stream = connection.stream();
    std::future::poll_fn(|task| stream.poll_over(task)).await;
    let answers = stream.answers();
    if answers.is_empty() { ended(&user) } else { Ok(whole(answers.into_iter(), accepts)) }
}

/// What became of the messages of a batch.
#[derive(Default)]
struct Begun {
    answers: Vec<Vec<u8>>,
    running: Vec<(String, Call)>,
}

impl Begun {
    fn is_empty(&self) -> bool {
        self.answers.is_empty() && self.running.is_empty()
    }

    fn take(&mut self, user: &Use, message: Message, outgoing: Outgoing) {
        match message {
            Message::Request(request) => self.begin(user, *request, outgoing),
            Message::Notification(notification) => endpoint::heed(user, &notification),
            Message::Response(response) => endpoint::heed_response(user, &response),
            Message::Malformed(Malformed { id, error }) => {
                self.answers.push(error_response(id.as_deref(), &error));
            }
        }
    }

    fn begin(&mut self, user: &Use, request: Request, outgoing: Outgoing) {
        let Some(session) = user.session() else { return };
        let id = request.canonical_id().into_owned();
        if user.is_in_flight(&id) || self.running.iter().any(|(running, _)| *running == id) {
            return self.answers.push(reused_id(&id).bytes);
        }
        let mut call = session.begin(request, outgoing);
        match call.take_immediate() {
            Some(reply) => self.answers.push(reply.bytes),
            None => self.running.push((id, call)),
        }
    }
}

pub(super) fn busy(id: &str) -> Reply {
    Reply::error(Some(id), &Error::internal("Internal error: the server is busy; try again in a moment"))
}

/// All answers as one array.
fn whole(answers: impl Iterator<Item = Bytes>, accepts: Accepts) -> Response<HttpBody> {
    let mut array = vec![b'['];
    for answer in answers {
        if array.len() > 1 {
            array.push(b',');
        }
        array.extend_from_slice(&answer);
    }
    array.push(b']');
    if accepts.only_stream() { events(HttpBody::whole(event(&array))) } else { json(StatusCode::OK, array) }
}
