//! `subscriptions/listen` (basic/patterns/subscriptions).

use std::collections::HashSet;
use std::sync::Arc;
use std::task::{Context as Task, Poll, ready};

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::list::Kind;
use super::{Event, Reply};
use crate::changes::{Change, Interests, Started, Subscription};
use crate::context::Context;
use crate::message::kind;
use crate::output::{on_one_line, write};
use crate::protocol::Error;
use crate::registry::Registry;
use crate::server::{Catalog, Core};
use crate::template::normal_spelling;

/// The most addresses of one subscription.
const ADDRESSES: usize = 10_000;

/// "A `notifications` filter specifying which event types it wants to receive." (Opening a Stream)
///
/// "All fields are optional. Omitting a field is equivalent to not subscribing to that notification type."
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Filter<'a> {
    #[serde(borrow)]
    tools_list_changed: Option<&'a RawValue>,
    prompts_list_changed: Option<&'a RawValue>,
    resources_list_changed: Option<&'a RawValue>,
    resource_subscriptions: Option<&'a RawValue>,
}

/// One stream of notifications, which goes on until it is dropped, or until the server ends it.
///
/// It keeps nothing of its request but the id: there may be thousands that have nothing to say for days.
pub(crate) struct Listening {
    core: Arc<Core>,
    /// The JSON of the request's id, which is that of the subscription.
    id: Box<str>,
    opening: Option<Box<Opening>>,
    subscription: Subscription,
}

/// What comes before the first change.
struct Opening {
    acknowledgement: Vec<u8>,
    started: Started,
}

/// Subscribes to what the server honours of what the client asks for; changes count from here on.
pub(super) fn listen(ctx: &Context) -> Result<Box<Listening>, Error> {
    let core = ctx.core();
    let request = ctx.request();
    let span = request.params.notifications;
    let span =
        span.ok_or_else(|| Error::invalid_params("Invalid params: `params.notifications` is missing"))?;
    let (interests, honoured) = honour(ctx.catalog(), request.text.get(span))?;
    let limit = core.limits().subscriptions;
    let subscription = core.hub().subscribe_within(limit, &interests).ok_or_else(|| {
        Error::internal(format!(
            "The server has {limit} subscriptions, its most; try again when some of them have ended"
        ))
    })?;
    let id: Box<str> = ctx.request_id().into();
    let acknowledgement = acknowledgement(&id, &honoured);
    let opening = Some(Box::new(Opening { acknowledgement, started: subscription.started() }));
    Ok(Box::new(Listening { core: Arc::clone(core), id, opening, subscription }))
}

/// "The `notifications` field in the acknowledgment reflects the subset the server agreed to honor. Notification
/// types the server does not support are omitted." (Acknowledgment)
fn honour(catalog: &Catalog, filter: &str) -> Result<(Interests, Value), Error> {
    if !filter.starts_with('{') {
        return Err(wrong("", "an object", filter));
    }
    let filter: Filter<'_> = serde_json::from_str(filter).map_err(|error| {
        let text = error.to_string();
        let text = text.split(" at line ").next().unwrap_or_default();
        Error::invalid_params(format!("Invalid params: `params.notifications`: {text}"))
    })?;
    let mut honoured = json!({});
    let mut wants = |name: &str, raw: Option<&RawValue>, kind: Kind| -> Result<bool, Error> {
        let wanted = flag(name, raw)? && catalog.can_change(kind);
        if wanted {
            honoured[name] = true.into();
        }
        Ok(wanted)
    };
    let mut interests = Interests {
        tools: wants("toolsListChanged", filter.tools_list_changed, Kind::Tools)?,
        prompts: wants("promptsListChanged", filter.prompts_list_changed, Kind::Prompts)?,
        resources: wants("resourcesListChanged", filter.resources_list_changed, Kind::Resources)?,
        uris: Vec::new(),
    };
    if let Some(raw) = filter.resource_subscriptions {
        let asked: Vec<String> = serde_json::from_str(raw.get())
            .map_err(|_| wrong(".resourceSubscriptions", "an array of strings", raw.get()))?;
        if catalog.can_subscribe() {
            interests.uris = served(catalog.registry(), asked);
            honoured["resourceSubscriptions"] = json!(interests.uris);
        }
    }
    Ok((interests, honoured))
}

fn flag(name: &str, raw: Option<&RawValue>) -> Result<bool, Error> {
    let Some(raw) = raw else { return Ok(false) };
    serde_json::from_str(raw.get()).map_err(|_| wrong(&format!(".{name}"), "a boolean", raw.get()))
}

fn wrong(field: &str, expected: &str, json: &str) -> Error {
    let found = match json.as_bytes().first() {
        Some(b'"') => "a string",
        Some(b'[') if expected.starts_with("an array") => "an array of something else",
        _ => kind(json),
    };
    Error::invalid_params(format!(
        "Invalid params: `params.notifications{field}` must be {expected}, not {found}"
    ))
}

/// The addresses that a resource or a template serves, each once.
fn served(registry: &Registry, mut asked: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::new();
    asked.retain(|uri| {
        seen.len() < ADDRESSES && registry.serves(uri) && seen.insert(normal_spelling(uri).into_owned())
    });
    asked
}

impl Listening {
    /// The acknowledgement, then one notification for each change, then the result when the server ends it.
    pub(super) fn poll_event(&mut self, task: &mut Task<'_>) -> Poll<Event> {
        if let Some(opening) = &mut self.opening {
            ready!(opening.started.poll(task));
            let acknowledgement = std::mem::take(&mut opening.acknowledgement);
            self.opening = None;
            return Poll::Ready(Event::Notification(acknowledgement));
        }
        Poll::Ready(match ready!(self.subscription.poll_change(task)) {
            Some(change) => Event::Notification(self.notification(&change)),
            None => Event::Reply(Reply::answer(self.result())),
        })
    }

    /// "All notifications delivered on the stream carry `io.modelcontextprotocol/subscriptionId` in `_meta`"
    /// (Receiving Notifications).
    ///
    /// ```json
    /// {"method": "notifications/resources/updated",
    ///  "params": {"_meta": {"io.modelcontextprotocol/subscriptionId": 1}, "uri": "file:///project/config.json"}}
    /// ```
    fn notification(&self, change: &Change) -> Vec<u8> {
        let mut line = notification(change.method(), &self.id);
        if let Change::Resource(uri) = change {
            line.extend_from_slice(br#","uri":"#);
            write(&mut line, &**uri);
        }
        line.extend_from_slice(b"}}");
        on_one_line(line)
    }

    /// "The result carries no method-specific data beyond the standard result fields and subscription metadata."
    /// (Graceful Closure)
    ///
    /// ```json
    /// {"id": 1, "result": {"resultType": "complete", "_meta": {"io.modelcontextprotocol/subscriptionId": 1}}}
    /// ```
    fn result(&self) -> Vec<u8> {
        let mut line = br#"{"jsonrpc":"2.0","id":"#.to_vec();
        line.extend_from_slice(self.id.as_bytes());
        line.extend_from_slice(br#","result":{"resultType":"complete","_meta":{"#);
        push_subscription_id(&mut line, &self.id);
        line.push(b',');
        line.extend_from_slice(self.core.server_info_member());
        line.extend_from_slice(b"}}}");
        on_one_line(line)
    }
}

/// "The server MUST send `notifications/subscriptions/acknowledged` as the first message carrying the
/// subscription's ID" (Acknowledgment).
///
/// ```json
/// {"method": "notifications/subscriptions/acknowledged",
///  "params": {"_meta": {"io.modelcontextprotocol/subscriptionId": 1}, "notifications": {"toolsListChanged": true}}}
/// ```
fn acknowledgement(id: &str, honoured: &Value) -> Vec<u8> {
    let mut line = notification("notifications/subscriptions/acknowledged", id);
    line.extend_from_slice(br#","notifications":"#);
    write(&mut line, honoured);
    line.extend_from_slice(b"}}");
    on_one_line(line)
}

/// A notification up to the end of its `_meta`.
fn notification(method: &str, id: &str) -> Vec<u8> {
    let mut line = Vec::with_capacity(192);
    line.extend_from_slice(br#"{"jsonrpc":"2.0","method":""#);
    line.extend_from_slice(method.as_bytes());
    line.extend_from_slice(br#"","params":{"_meta":{"#);
    push_subscription_id(&mut line, id);
    line.push(b'}');
    line
}

/// "The value is the JSON-RPC ID of the `subscriptions/listen` request." (Receiving Notifications)
fn push_subscription_id(line: &mut Vec<u8>, id: &str) {
    line.extend_from_slice(br#""io.modelcontextprotocol/subscriptionId":"#);
    line.extend_from_slice(id.as_bytes());
}

#[cfg(test)]
mod tests;
