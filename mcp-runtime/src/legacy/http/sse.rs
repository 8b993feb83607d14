//! HTTP with SSE, the transport of revision 2024-11-05.

use std::sync::Arc;

use bytes::Bytes;
use http::request::Parts;
use http::{Response, StatusCode};

use super::batch::busy;
use super::connection::{Connection, Line};
use super::flight::launch;
use super::post::reused_id;
use super::session::{Grounded, HttpSession};
use super::sessions::{SessionId, Transport};
use super::usage::Use;
use super::{Endpoint, endpoint, refusal};
use crate::context::Outgoing;
use crate::dispatch::Reply;
use crate::legacy::{Revision, initialize, ping};
use crate::message::{Malformed, Message, Request};
use crate::output::error_response;
use crate::protocol::{Error, INVALID_REQUEST};
use crate::transport::http::{HttpBody, Permit, Refusal, accepted, events, json};

/// Opens a session, which is the stream that it answers with.
///
/// "When a client connects, the server MUST send an `endpoint` event containing a URI for the client to use for sending
/// messages." (2024-11-05, basic/transports, HTTP with SSE) A service that is mounted does not know under what path, so
/// it leaves that to the client, which resolves the URI against the one that it connected to.
pub(super) fn open(endpoint: &Endpoint, parts: &Parts, is_own: bool) -> Result<Response<HttpBody>, Refusal> {
    let (id, user) = endpoint.add(HttpSession::of_line(endpoint.sessions.epoch))?;
    let Some(stream) = user.line().map(Arc::clone) else { return Err(refusal::session_not_found()) };
    let path = if is_own { parts.uri.path() } else { "" };
    let head = format!("event: endpoint\ndata: {path}?sessionId={id}\n\n");
    let line = Line { sessions: Arc::downgrade(&endpoint.sessions), id };
    let connection = Connection::of_line(user, &stream, line).begin_with(head.into());
    Ok(events(HttpBody::session(connection)))
}

/// Takes what a client sends. Everything that it is told arrives on its stream.
pub(super) async fn post(
    endpoint: &Endpoint,
    parts: &Parts,
    bytes: Bytes,
    permit: Permit,
) -> Result<Response<HttpBody>, Refusal> {
    let Some(id) = session_id(parts.uri.query()) else {
        return Err(Refusal::bad_request(
            "there is no `sessionId`; connect with GET, and send to the address that the `endpoint` event names",
        ));
    };
    let id = SessionId::parse(id.as_bytes()).ok_or_else(refusal::session_not_found)?;
    let user = endpoint.sessions.find(id, Transport::HttpSse).ok_or_else(refusal::session_not_found)?;
    // Who does not read what comes is not served more of it.
    let Some(line) = user.line() else { return Err(refusal::session_not_found()) };
    line.room().await;
    if !line.is_connected() {
        endpoint.sessions.end(id);
        return Err(refusal::session_not_found());
    }
    let has_batches = user.session().is_some_and(|session| session.revision().has_batches());
    let messages = match Message::read_batch(&bytes).filter(|_| has_batches) {
        None => vec![Message::read(bytes)],
        Some(Ok(messages)) => messages,
        Some(Err(error)) => return Ok(json(StatusCode::BAD_REQUEST, error_response(None, &error))),
    };
    if let [Message::Malformed(Malformed { id, error })] = &*messages {
        return Ok(json(StatusCode::BAD_REQUEST, error_response(id.as_deref(), error)));
    }
    let mut first = Some(permit);
    for message in messages {
        take(endpoint, &user, message, &mut first);
    }
    Ok(accepted())
}

fn take(endpoint: &Endpoint, user: &Use, message: Message, first: &mut Option<Permit>) {
    match message {
        Message::Request(request) => {
            let reply = answer(endpoint, user, *request, first);
            if let (Some(reply), Some(line)) = (reply, user.line()) {
                line.push(reply.bytes);
            }
        }
        Message::Notification(notification) => endpoint::heed(user, &notification),
        Message::Response(response) => endpoint::heed_response(user, &response),
        Message::Malformed(Malformed { id, error }) => {
            if let Some(line) = user.line() {
                line.push(error_response(id.as_deref(), &error));
            }
        }
    }
}

/// The answer to a request, or nothing where it comes later.
fn answer(endpoint: &Endpoint, user: &Use, request: Request, first: &mut Option<Permit>) -> Option<Reply> {
    let invalid = |why: &str| {
        let error = Error::new(INVALID_REQUEST, format!("Invalid Request: {why}"));
        Some(Reply::error(Some(request.id()), &error))
    };
    if request.method() == "initialize" {
        return match initialize(&endpoint.core, &request) {
            Ok((session, reply)) => {
                if user.initialize(session) {
                    return Some(reply);
                }
                invalid("the session was initialized before")
            }
            Err(reply) => Some(reply),
        };
    }
    let (Some(session), Some(line)) = (user.session(), user.line()) else {
        if request.method() == "ping" {
            return Some(ping(&request));
        }
        let latest = Revision::LATEST;
        return invalid(&format!(
            "begin with `initialize`; this server speaks revisions up to {latest} here"
        ));
    };
    let id = request.canonical_id().into_owned();
    if user.is_in_flight(&id) {
        return Some(reused_id(&id));
    }
    let mut call = session.begin(request, Outgoing::Open);
    if let Some(reply) = call.take_immediate() {
        return Some(reply);
    }
    let Ok(permit) = first.take().map_or_else(|| endpoint.in_flight.enter(), Ok) else {
        return Some(busy(&id));
    };
    line.expect_answer();
    match launch(user, &id, call, line, permit) {
        Ok(()) => None,
        Err(grounded) => {
            line.expect_less();
            (grounded == Grounded::SameId).then(|| reused_id(&id))
        }
    }
}

fn session_id(query: Option<&str>) -> Option<&str> {
    query?.split('&').find_map(|pair| pair.strip_prefix("sessionId="))
}
