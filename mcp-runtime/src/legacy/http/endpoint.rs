//! What comes in from clients of older revisions, and where it goes.

use std::sync::Arc;

use bytes::Bytes;
use http::header::HeaderName;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Response, StatusCode};

use super::refusal;
use super::session::HttpSession;
use super::sessions::{SessionId, Sessions, Transport};
use super::usage::Use;
use super::{Answered, header, now, post, sse};
use crate::dispatch::Reply;
use crate::legacy::{Revision, initialize, ping};
use crate::message::{Message, Notification, Request, Response as Answer};
use crate::output::error_response;
use crate::protocol::Error;
use crate::server::{Core, Eras};
use crate::transport::http::{
    Accepts, HttpBody, HttpOptions, InFlight, Permit, Refusal, accepted, is_at, json,
};

/// The part of the endpoint that is for clients of older revisions.
pub(crate) struct Endpoint {
    pub(super) core: Arc<Core>,
    pub(super) in_flight: InFlight,
    pub(super) sessions: Arc<Sessions>,
    /// The path of HTTP+SSE.
    sse: Option<String>,
}

impl Endpoint {
    /// Nothing where clients of older revisions are not served.
    pub(crate) fn new(core: &Arc<Core>, options: &HttpOptions, in_flight: &InFlight) -> Option<Self> {
        let limits = core.limits();
        core.eras().has_legacy().then(|| Self {
            core: Arc::clone(core),
            in_flight: in_flight.clone(),
            sessions: Sessions::new(limits.sessions, limits.session_idle),
            sse: options.sse_endpoint.clone(),
        })
    }

    /// Ends what would go on for ever: the server is going to stop.
    pub(crate) fn close(&self) {
        self.sessions.close();
    }

    /// Ends every session: the server has stopped.
    pub(crate) fn end(&self) {
        self.sessions.end_all();
    }

    /// Whether a path is that of HTTP+SSE.
    pub(crate) fn is_sse(&self, path: &str) -> bool {
        self.sse.as_ref().is_some_and(|sse| is_at(path, sse))
    }

    /// Opens a session of HTTP+SSE, whose path is written with the address in it where that is known.
    pub(crate) fn open_sse(&self, parts: &Parts, is_own: bool) -> Result<Response<HttpBody>, Refusal> {
        sse::open(self, parts, is_own)
    }

    /// Takes a message of a session of HTTP+SSE.
    pub(crate) async fn post_sse(
        &self,
        parts: &Parts,
        bytes: Bytes,
        permit: Permit,
    ) -> Result<Response<HttpBody>, Refusal> {
        sse::post(self, parts, bytes, permit).await
    }

    /// Whether a message is one for here; every other is of the current revision.
    ///
    /// "A request carrying modern per-request `_meta` is served statelessly according to this revision. An `initialize`
    /// request selects legacy semantics, scoped to […] the session" (basic/versioning, Backward Compatibility).
    pub(crate) fn is_meant(&self, headers: &HeaderMap, message: &Message) -> bool {
        if !self.core.eras().has_modern() {
            return true;
        }
        match message {
            Message::Request(request) => !request.is_modern() && !header::names_modern(headers),
            Message::Notification(_) | Message::Response(_) => {
                header::has_session(headers) && !header::names_modern(headers)
            }
            Message::Malformed(_) => false,
        }
    }

    /// Answers a message.
    pub(crate) fn post(&self, parts: &Parts, message: Message, permit: Permit) -> Answered {
        match message {
            Message::Request(request) => self.request(parts, *request, permit),
            Message::Notification(notification) => {
                let user = self.named_session(&parts.headers)?;
                heed(&user, &notification);
                now(accepted())
            }
            Message::Response(response) => {
                let user = self.named_session(&parts.headers)?;
                heed_response(&user, &response);
                now(accepted())
            }
            Message::Malformed(malformed) => {
                let bytes = error_response(malformed.id.as_deref(), &malformed.error);
                now(json(StatusCode::BAD_REQUEST, bytes))
            }
        }
    }

    fn request(&self, parts: &Parts, request: Request, permit: Permit) -> Answered {
        let accepts = Accepts::of(&parts.headers);
        if request.method() == "initialize" {
            return now(self.initialize(&request, accepts)?);
        }
        if header::has_session(&parts.headers) {
            let user = self.named_session(&parts.headers)?;
            return post::answer(user, request, accepts, permit);
        }
        // It says nothing that a revision would say in another way.
        if request.method() == "ping" && !request.is_modern() {
            return now(post::at_once(ping(&request), accepts));
        }
        now(self.without_session(&request))
    }

    /// Opens a session.
    ///
    /// "A server using the Streamable HTTP transport MAY assign a session ID at initialization time, by including it in
    /// an `MCP-Session-Id` header on the HTTP response containing the `InitializeResult`." (2025-11-25,
    /// basic/transports, Session Management)
    fn initialize(&self, request: &Request, accepts: Accepts) -> Result<Response<HttpBody>, Refusal> {
        let (session, reply) = match initialize(&self.core, request) {
            Ok(opened) => opened,
            Err(reply) => return Ok(json(StatusCode::BAD_REQUEST, reply.bytes)),
        };
        let (id, _) = self.add(HttpSession::new(session, self.sessions.epoch))?;
        let mut response = post::at_once(reply, accepts);
        let id = HeaderValue::try_from(id.to_string()).expect("digits are visible ASCII");
        response.headers_mut().insert(HeaderName::from_static("mcp-session-id"), id);
        Ok(response)
    }

    pub(super) fn add(&self, session: HttpSession) -> Result<(SessionId, Use), Refusal> {
        let limit = self.core.limits().sessions;
        self.sessions.add(session).map_err(|_| refusal::too_many_sessions(limit))
    }

    /// A request that says neither what it speaks nor what session it is of. Both ways out are named; and where the
    /// current revision is not served, nothing that "is a recognized modern JSON-RPC error", so that clients that speak
    /// both "fall back to `initialize`" (basic/transports/streamable-http, Backward Compatibility).
    fn without_session(&self, request: &Request) -> Response<HttpBody> {
        let error = if let (true, Some(fault)) = (self.core.eras().has_modern(), &request.params.fault) {
            Error::invalid_params(format!("Invalid params: {fault}"))
        } else if self.core.eras().has_modern() {
            Error::invalid_params(
                "Invalid params: `_meta[\"io.modelcontextprotocol/protocolVersion\"]` is missing; a client of an older \
                 revision begins with `initialize`, and sends the `Mcp-Session-Id` that it is given",
            )
        } else {
            let latest = Revision::LATEST;
            let why = format!(
                "Invalid Request: there is no `Mcp-Session-Id` header; this server speaks revisions up to {latest}: \
                 begin a session with `initialize`"
            );
            Error::new(crate::protocol::INVALID_REQUEST, why)
        };
        json(StatusCode::BAD_REQUEST, Reply::error(Some(request.id()), &error).bytes)
    }

    /// The session of a request.
    pub(super) fn named_session(&self, headers: &HeaderMap) -> Result<Use, Refusal> {
        self.find(headers).map(|(_, user)| user)
    }

    pub(super) fn find(&self, headers: &HeaderMap) -> Result<(SessionId, Use), Refusal> {
        let id = header::session(headers)?;
        header::check_revision(headers, self.eras())?;
        let user = self.sessions.find(id, Transport::StreamableHttp);
        user.map(|user| (id, user)).ok_or_else(refusal::session_not_found)
    }

    pub(super) fn eras(&self) -> Eras {
        self.core.eras()
    }
}

/// Takes a notification.
pub(super) fn heed(user: &Use, notification: &Notification) {
    if notification.method != "notifications/cancelled" {
        if let Some(session) = user.session() {
            session.heed(notification);
        }
        return;
    }
    let Some(id) = notification.request_id.as_deref() else { return };
    // "Both parties SHOULD log cancellation reasons for debugging."
    let reason = notification.reason.as_deref().unwrap_or("no reason given");
    if user.cancel(id) {
        tracing::debug!("request {id} is cancelled: {reason}");
    } else {
        tracing::debug!("ignored: request {id}, to be cancelled ({reason}), is not in flight");
    }
}

/// Takes the answer to a question.
pub(super) fn heed_response(user: &Use, response: &Answer) {
    if let Some(session) = user.session() {
        session.heed_response(response);
    }
}
