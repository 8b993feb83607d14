//! The requests that older revisions have beside those of the core.

use serde_json::json;

use super::{Session, handshake, translate};
use crate::dispatch::Reply;
use crate::message::Request;
use crate::output::result_response;
use crate::protocol::{Error, LogLevel};
use crate::server::Catalog;

/// The most resources that one session may watch.
const WATCHED: usize = 10_000;

/// The answer of the session itself; nothing for a request of the core.
pub(super) fn answer(session: &Session, catalog: &Catalog, request: &Request) -> Option<Reply> {
    let answered = match request.method() {
        "ping" => return Some(handshake::ping(request)),
        "logging/setLevel" => set_level(session, request),
        "resources/subscribe" if catalog.can_subscribe() => subscribe(session, catalog, request),
        "resources/unsubscribe" if catalog.can_subscribe() => unsubscribe(session, request),
        _ => return None,
    };
    let id = request.id();
    Some(match answered {
        Ok(()) => Reply::answer(result_response(id, &json!({}))),
        Err(error) => {
            let reply = Reply::error(Some(id), &error);
            let bytes = translate::answer(session.revision(), request.method(), reply.bytes, reply.error);
            Reply { bytes, ..reply }
        }
    })
}

/// "Invalid log level: `-32602`" (2025-11-25, server/utilities/logging)
fn set_level(session: &Session, request: &Request) -> Result<(), Error> {
    let level = request.params.level.as_ref().map(|level| level.get(&request.text));
    let level = level.ok_or_else(|| missing("level"))?;
    session.set_log_level(LogLevel::parse(level).ok_or_else(|| LogLevel::invalid(level))?);
    Ok(())
}

/// "Clients can subscribe to specific resources and receive notifications when they change" (2025-11-25,
/// server/resources, Subscriptions).
fn subscribe(session: &Session, catalog: &Catalog, request: &Request) -> Result<(), Error> {
    let uri = uri(request)?;
    if !catalog.registry().serves(uri) {
        return Err(Error::resource_not_found(uri));
    }
    if session.subscription().watched() >= WATCHED {
        return Err(Error::invalid_params(format!(
            "Invalid params: {WATCHED} resources are watched already, the most that this server takes"
        )));
    }
    session.subscription().watch(uri);
    Ok(())
}

fn unsubscribe(session: &Session, request: &Request) -> Result<(), Error> {
    session.subscription().unwatch(uri(request)?);
    Ok(())
}

fn uri(request: &Request) -> Result<&str, Error> {
    let uri = request.params.uri.as_ref().map(|uri| uri.get(&request.text));
    uri.ok_or_else(|| missing("uri"))
}

fn missing(name: &str) -> Error {
    Error::invalid_params(format!("Invalid params: `params.{name}` is missing, or is no string"))
}
