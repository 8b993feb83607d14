//! What is refused by its status.

use http::StatusCode;
use http::header::RETRY_AFTER;

use crate::legacy::Revision;
use crate::protocol::MODERN_VERSIONS;
use crate::server::Eras;
use crate::transport::http::{Refusal, shortened};

/// The code that clients know for a session that is not there.
const SESSION_NOT_FOUND: i32 = -32001;

/// "The server MAY terminate the session at any time, after which it MUST respond to requests containing that session ID
/// with HTTP 404 Not Found." (2025-11-25, basic/transports, Session Management)
pub(super) fn session_not_found() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "Session not found").with_code(SESSION_NOT_FOUND)
}

/// "Servers that require a session ID SHOULD respond to requests without an `MCP-Session-Id` header (other than
/// initialization) with HTTP 400 Bad Request." (2025-11-25, basic/transports, Session Management)
pub(super) fn session_missing() -> Refusal {
    Refusal::bad_request("there is no `Mcp-Session-Id` header; begin a session with `initialize`")
}

/// "If the server receives a request with an invalid or unsupported `MCP-Protocol-Version`, it MUST respond with `400
/// Bad Request`." (2025-11-25, basic/transports, Protocol Version Header)
pub(super) fn unsupported_revision(found: &str, eras: Eras) -> Refusal {
    let modern = if eras.has_modern() { MODERN_VERSIONS } else { &[] };
    let served: Vec<_> =
        modern.iter().copied().chain(Revision::ALL.iter().map(|revision| revision.as_str())).collect();
    let found = shortened(found.into());
    Refusal::bad_request(format!(
        "`MCP-Protocol-Version` is {found:?}, which is not served; served are {}",
        served.join(", ")
    ))
}

pub(super) fn too_many_sessions(limit: usize) -> Refusal {
    let message = format!("the server has {limit} sessions, all of them in use; try again in a moment");
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message).with(RETRY_AFTER, "5")
}

/// Not 404: that would tell the client that its session is over.
pub(super) fn unknown_event(found: &str) -> Refusal {
    let found = shortened(found.into());
    Refusal::bad_request(format!(
        "`Last-Event-ID` is {found:?}, which names no event of this session that is still kept"
    ))
}

/// "The client MUST include an `Accept` header, listing `text/event-stream` as a supported content type." (2025-11-25,
/// basic/transports, Listening for Messages from the Server)
pub(super) fn not_acceptable() -> Refusal {
    let message = "the answer is a stream; send `Accept: text/event-stream`";
    Refusal::new(StatusCode::NOT_ACCEPTABLE, message)
}
