//! A request in a session, from its POST to its answer.

use std::future::Future;
use std::pin::pin;
use std::task::Poll;

use http::{Response, StatusCode};

use super::connection::Connection;
use super::event_id::EventId;
use super::flight::launch;
use super::session::Grounded;
use super::usage::Use;
use super::{Answered, later, now, refusal};
use crate::context::Outgoing;
use crate::dispatch::Reply;
use crate::message::Request;
use crate::protocol::{Error, INVALID_REQUEST};
use crate::transport::http::{Accepts, HttpBody, Permit, Refusal, SILENCE, accepted, event, events, json};

/// Answers a request: as JSON where the answer comes before anything else, as a stream where not.
pub(super) fn answer(user: Use, request: Request, accepts: Accepts, permit: Permit) -> Answered {
    let Some(session) = user.session() else { return Err(refusal::session_not_found()) };
    let id = request.canonical_id().into_owned();
    if user.is_in_flight(&id) {
        return now(same_id(&id));
    }
    let mut call = session.begin(request, outgoing(accepts));
    if let Some(reply) = call.take_immediate() {
        return now(at_once(reply, accepts));
    }
    let stream = user.stream(1);
    let connection = Connection::of_calls(user.clone(), &stream, 0);
    match launch(&user, &id, call, &stream, permit) {
        Ok(()) => later(opened(user, connection, accepts)),
        Err(Grounded::SameId) => now(same_id(&id)),
        Err(Grounded::SessionOver) => Err(refusal::session_not_found()),
    }
}

pub(super) fn outgoing(accepts: Accepts) -> Outgoing {
    if accepts.stream { Outgoing::Open } else { Outgoing::Discarded }
}

/// An answer that was there before anything else.
pub(super) fn at_once(reply: Reply, accepts: Accepts) -> Response<HttpBody> {
    if accepts.only_stream() {
        return events(HttpBody::whole(event(&reply.bytes)));
    }
    json(StatusCode::OK, reply.bytes)
}

/// "The request ID MUST NOT have been previously used by the requestor within the same session." (basic/index) One that
/// is still in flight could not be told from the other.
pub(super) fn reused_id(id: &str) -> Reply {
    let why = format!("Invalid Request: a request with the id {id} is in flight");
    Reply::error(Some(id), &Error::new(INVALID_REQUEST, why))
}

fn same_id(id: &str) -> Response<HttpBody> {
    json(StatusCode::BAD_REQUEST, reused_id(id).bytes)
}

/// The answer when there is one, or the head of a stream when there is anything else, or only silence.
async fn opened(user: Use, connection: Connection, accepts: Accepts) -> Result<Response<HttpBody>, Refusal> {
    wait(&connection, accepts).await;
    if let Some(answer) = connection.only_answer() {
        if accepts.only_stream() {
            return Ok(events(HttpBody::whole(event(&answer))));
        }
        return Ok(json(StatusCode::OK, answer));
    }
    if !accepts.stream || is_given_up(&connection) {
        return ended(&user);
    }
    Ok(streamed(&user, connection))
}

/// A request that has no answer, and said nothing: its session is over, or it was cancelled. The client "SHOULD ignore
/// any response to the request that arrives afterward" (2025-11-25, basic/utilities/cancellation), so it gets none.
pub(super) fn ended(user: &Use) -> Result<Response<HttpBody>, Refusal> {
    if user.is_over() { Err(refusal::session_not_found()) } else { Ok(accepted()) }
}

fn is_given_up(connection: &Connection) -> bool {
    let stream = connection.stream();
    stream.goes_on_after(0) == Some(false)
}

/// The head of a stream, which can be resumed from here on.
///
/// "The server SHOULD immediately send an SSE event consisting of an event ID and an empty `data` field in order to
/// prime the client to reconnect" (2025-11-25, basic/transports, Sending Messages to the Server). Clients of older
/// revisions take the empty data for a message.
pub(super) fn streamed(user: &Use, connection: Connection) -> Response<HttpBody> {
    let stream = connection.stream();
    user.open(stream);
    let is_primed = user.session().is_some_and(|session| session.revision().has_polling());
    let connection = if is_primed {
        let id = EventId { stream: stream.number, position: 0 };
        connection.begin_with(id.priming())
    } else if stream.is_silent() {
        connection.begin_with(Connection::SILENT)
    } else {
        connection
    };
    events(HttpBody::session(connection))
}

/// Waits for something to say, for [`SILENCE`] at most where the client takes a stream.
async fn wait(connection: &Connection, accepts: Accepts) {
    let stream = connection.stream();
    if !accepts.stream {
        return std::future::poll_fn(|task| stream.poll_over(task)).await;
    }
    let mut silence = pin!(tokio::time::sleep(SILENCE));
    std::future::poll_fn(|task| match stream.poll_opening(task) {
        Poll::Ready(()) => Poll::Ready(()),
        Poll::Pending => silence.as_mut().poll(task),
    })
    .await;
}
