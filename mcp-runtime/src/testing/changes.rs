//! What a subscribed client is told.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Client, into_result, parse};
use crate::changes::Change;
use crate::dispatch::{Event, Exchange, Reply};
use crate::protocol::Error;

impl Client {
    /// Subscribes to changes: `subscriptions/listen` with this filter.
    ///
    /// ```
    /// # use mcp_runtime::testing::Client;
    /// # use serde_json::json;
    /// # async fn example(client: Client) -> mcp_runtime::Result<()> {
    /// use mcp_runtime::Change;
    ///
    /// let mut changes = client.listen(json!({"resourceSubscriptions": ["notes://1"]})).await?;
    /// client.call("rewrite", json!({"note": 1})).await?;
    /// assert_eq!(changes.next().await, Some(Change::Resource("notes://1".into())));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The server's answer, if it is an error; and a filter of which the server honours only a part, since a test would
    /// wait in vain for the rest: a type that it does not have, an address that it does not serve. What it does honour
    /// is in its data: `{"acknowledged": {"toolsListChanged": true}}`.
    pub async fn listen(&self, notifications: Value) -> Result<Changes, Error> {
        let params = json!({ "notifications": &notifications, "_meta": self.meta() });
        let message = self.message("subscriptions/listen", &params);
        let refused = |reply: Option<Reply>| {
            let answer = reply.map(|reply| into_result(parse(&reply.bytes)));
            let none = || Error::internal("The server ended the subscription before it began");
            answer.and_then(Result::err).unwrap_or_else(none)
        };
        let mut exchange = self.start(message).map_err(refused)?;
        match exchange.next().await {
            Event::Notification(line) => {
                let acknowledged = parse(&line)["params"]["notifications"].take();
                if let Some(fault) = not_honoured(&notifications, &acknowledged) {
                    return Err(Error::internal(fault).with_data(json!({ "acknowledged": acknowledged })));
                }
                Ok(Changes { exchange: Some(exchange), acknowledged })
            }
            Event::Reply(reply) => Err(refused(Some(reply))),
        }
    }
}

/// What a server leaves out of a filter.
fn not_honoured(asked: &Value, acknowledged: &Value) -> Option<String> {
    const TYPES: [&str; 4] =
        ["toolsListChanged", "promptsListChanged", "resourcesListChanged", "resourceSubscriptions"];
    for (name, wanted) in asked.as_object()? {
        if !TYPES.contains(&&**name) {
            return Some(format!("`{name}` is nothing to listen to; there are: {}", TYPES.join(", ")));
        }
        if *wanted != false && acknowledged.get(name).is_none() {
            return Some(format!("the server does not send what `{name}` asks for"));
        }
        let honoured = acknowledged[name].as_array();
        let mut addresses = wanted.as_array().into_iter().flatten();
        let missing = addresses.find(|uri| honoured.is_some_and(|honoured| !honoured.contains(uri)));
        if let Some(uri) = missing {
            return Some(format!("no resource has the address {uri}"));
        }
    }
    None
}

/// A subscription, until it is dropped; see [`Client::listen`].
pub struct Changes {
    exchange: Option<Exchange>,
    acknowledged: Value,
}

impl Changes {
    /// What the server honours of the filter: `{"toolsListChanged": true}`.
    pub fn acknowledged(&self) -> &Value {
        &self.acknowledged
    }

    /// The next change; `None` once the server has ended the subscription.
    pub async fn next(&mut self) -> Option<Change> {
        match self.exchange.as_mut()?.next().await {
            Event::Notification(line) => Some(change(&parse(&line))),
            Event::Reply(_) => {
                self.exchange = None;
                None
            }
        }
    }
}

fn change(notification: &Value) -> Change {
    match notification["method"].as_str() {
        Some("notifications/tools/list_changed") => Change::Tools,
        Some("notifications/prompts/list_changed") => Change::Prompts,
        Some("notifications/resources/list_changed") => Change::Resources,
        _ => Change::Resource(Arc::from(notification["params"]["uri"].as_str().unwrap_or_default())),
    }
}
