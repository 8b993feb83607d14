//! Doing something once, whatever is asked afterwards.

use std::error::Error as StdError;
use std::future::{Future, poll_fn};
use std::pin::pin;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Flow, inside};
use crate::Context;
use crate::protocol::{Error, Result};

impl Context {
    /// Does something once, and remembers what it gave when the handler runs again.
    ///
    /// A handler that waits for an answer runs from its beginning once the answer is there. What it does
    /// before it asks is therefore done again, unless it is inside `once`: then the body runs in the first
    /// round, its value travels with the client's retry (sealed), and later rounds take it from there.
    ///
    /// The key names the value and has to be the same in each round. An error is not remembered: the body
    /// runs again in the next round. Two calls with one key at the same time share one run of a body. A body
    /// cannot ask the client: it has to come to its end before anything is asked.
    ///
    /// What `once` cannot know is a retry that it never saw: a client that sends one and the same round twice,
    /// or that starts over without the state it was given, makes the body run twice. Where that must not
    /// happen, make the body itself safe to repeat. [`Server::seal_store`](crate::Server::seal_store) refuses the round
    /// that is sent twice, but not the call that starts over.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    ///
    /// # async fn reserve(_: &str) -> Result<String> { Ok("r-1".to_owned()) }
    /// /// Book a table.
    /// #[tool]
    /// async fn book(place: String, ctx: &Context) -> Result<String> {
    ///     let reservation: String = ctx.once("reservation", || reserve(&place)).await?;
    ///     Ok(format!("reserved as {reservation}"))
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The body's own; and a value that does not serialize, or no longer deserializes as a `T`.
    pub async fn once<T, E, F, Fut>(&self, key: &str, body: F) -> Result<T>
    where
        T: Serialize + DeserializeOwned,
        E: Into<Box<dyn StdError + Send + Sync>>,
        F: FnOnce() -> Fut,
        Fut: Future<Output = std::result::Result<T, E>>,
    {
        let flow = self.flow();
        if let Some(value) = poll_fn(|task| flow.poll_once(key, task.waker())).await? {
            return serde_json::from_value(value).map_err(|error| {
                tracing::error!("`once` remembers another type under {key:?}: {error}");
                Error::internal("Internal error").into()
            });
        }
        let mut running = Running { flow, key, value: None };
        let mut body = pin!(inside::once(body));
        let value = poll_fn(|task| inside::once(|| body.as_mut().poll(task))).await.map_err(Into::into)?;
        running.value = Some(serde_json::to_value(&value).map_err(|error| {
            tracing::error!("the value of `once` under {key:?} does not serialize: {error}");
            Error::internal("Internal error")
        })?);
        Ok(value)
    }
}

/// Ends a body however it ends: with a value, an error, a panic or a drop.
struct Running<'a> {
    flow: &'a Flow,
    key: &'a str,
    value: Option<serde_json::Value>,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.flow.end_once(self.key, self.value.take());
    }
}
