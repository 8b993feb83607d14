//! What is no POST: streams that are opened or taken up again, and the end of sessions.

use http::request::Parts;
use http::{HeaderMap, Method, Response, StatusCode};

use super::connection::Connection;
use super::event_id::EventId;
use super::session::STANDALONE;
use super::usage::Use;
use super::{Endpoint, header, refusal};
use crate::transport::http::{Accepts, HttpBody, Refusal, events};

/// The methods that the endpoint takes of any revision.
const METHODS: &str = "GET, POST, DELETE";

impl Endpoint {
    /// Answers what is no POST.
    pub(crate) fn other(&self, parts: &Parts) -> Result<Response<HttpBody>, Refusal> {
        if self.eras().has_modern() && header::names_modern(&parts.headers) {
            return Err(Refusal::method_not_allowed(&parts.method, "POST"));
        }
        match parts.method {
            Method::GET => self.get(&parts.headers),
            Method::DELETE => self.delete(&parts.headers),
            _ => Err(Refusal::method_not_allowed(&parts.method, METHODS)),
        }
    }

    /// Opens the standalone stream, or goes on with any stream.
    ///
    /// "If the client wishes to resume after a disconnection […], it SHOULD issue an HTTP GET to the MCP endpoint, and
    /// include the `Last-Event-ID` header" (2025-11-25, basic/transports, Resumability and Redelivery).
    fn get(&self, headers: &HeaderMap) -> Result<Response<HttpBody>, Refusal> {
        if !Accepts::of(headers).stream {
            return Err(refusal::not_acceptable());
        }
        let user = self.named_session(headers)?;
        let connection = match header::last_event(headers)? {
            None => listen(user),
            Some(value) => {
                let id = value.to_str().ok().and_then(EventId::parse);
                let resumed = id.and_then(|id| resume(user, id));
                let unknown = || refusal::unknown_event(&String::from_utf8_lossy(value.as_bytes()));
                match resumed.ok_or_else(unknown)? {
                    Resumed::On(connection) => connection,
                    Resumed::Over => return Ok(nothing_more()),
                }
            }
        };
        Ok(events(HttpBody::session(connection)))
    }

    /// "Clients that no longer need a particular session […] SHOULD send an HTTP DELETE to the MCP endpoint with the
    /// `MCP-Session-Id` header, to explicitly terminate the session." (2025-11-25, basic/transports, Session Management)
    fn delete(&self, headers: &HeaderMap) -> Result<Response<HttpBody>, Refusal> {
        let (id, _) = self.find(headers)?;
        self.sessions.end(id);
        Ok(nothing_more())
    }
}

/// The standalone stream, in place of the connection that had it.
fn listen(user: Use) -> Connection {
    let is_primed = user.session().is_some_and(|session| session.revision().has_polling());
    let stream = user.standalone();
    let (connection, id) = Connection::of_session_afresh(user, &stream);
    connection.begin_with(if is_primed { id.priming() } else { Connection::SILENT })
}

enum Resumed {
    On(Connection),
    /// The client has everything.
    Over,
}

/// A stream from an event on; nothing where there is no such event.
fn resume(user: Use, id: EventId) -> Option<Resumed> {
    let stream = user.find_stream(id.stream)?;
    if !stream.goes_on_after(id.position)? {
        return Some(Resumed::Over);
    }
    Some(Resumed::On(match id.stream {
        STANDALONE => Connection::of_session(user, &stream, id.position),
        _ => Connection::of_calls(user, &stream, id.position),
    }))
}

/// "HTTP 204 No Content" is also what tells a client that resumes a stream to come no more (HTML, Server-sent events).
fn nothing_more() -> Response<HttpBody> {
    let mut response = Response::new(HttpBody::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
}
