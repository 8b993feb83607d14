//! The headers of requests in a session.

use http::{HeaderMap, HeaderValue};

use super::refusal::{session_missing, session_not_found, unsupported_revision};
use super::sessions::SessionId;
use crate::legacy::Revision;
use crate::protocol::ProtocolVersion;
use crate::server::Eras;
use crate::transport::http::{Refusal, text};

const VERSION: &str = "mcp-protocol-version";
const SESSION: &str = "mcp-session-id";
const LAST_EVENT: &str = "last-event-id";

/// Whether the headers say that the request is one of the current revision, whatever else they say.
pub(super) fn names_modern(headers: &HeaderMap) -> bool {
    let version = headers.get(VERSION).and_then(|value| text(value).ok());
    version.is_some_and(|version| ProtocolVersion::parse(version).is_some())
}

pub(super) fn has_session(headers: &HeaderMap) -> bool {
    headers.contains_key(SESSION)
}

/// The session that the headers name. What no session can be called is one that is not there.
pub(super) fn session(headers: &HeaderMap) -> Result<SessionId, Refusal> {
    let value = only(headers, SESSION, "Mcp-Session-Id")?.ok_or_else(session_missing)?;
    SessionId::parse(value.as_bytes()).ok_or_else(session_not_found)
}

/// The event that the client saw last.
pub(super) fn last_event(headers: &HeaderMap) -> Result<Option<&HeaderValue>, Refusal> {
    only(headers, LAST_EVENT, "Last-Event-ID")
}

/// Accepts every revision that is served, also another one than was agreed on, and none: "if the server does *not*
/// receive an `MCP-Protocol-Version` header", it has the session to go by (2025-11-25, basic/transports, Protocol
/// Version Header).
pub(super) fn check_revision(headers: &HeaderMap, eras: Eras) -> Result<(), Refusal> {
    let Some(value) = only(headers, VERSION, "MCP-Protocol-Version")? else { return Ok(()) };
    match text(value) {
        Ok(version) if Revision::parse(version).is_some() => Ok(()),
        _ => Err(unsupported_revision(&String::from_utf8_lossy(value.as_bytes()), eras)),
    }
}

fn only<'h>(headers: &'h HeaderMap, name: &str, display: &str) -> Result<Option<&'h HeaderValue>, Refusal> {
    let mut values = headers.get_all(name).iter();
    let value = values.next();
    if values.next().is_some() {
        return Err(Refusal::bad_request(format!("the `{display}` header is given more than once")));
    }
    Ok(value)
}
