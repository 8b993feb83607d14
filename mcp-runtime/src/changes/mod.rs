//! Changes that clients are told of: lists that became others, resources that were updated.
//!
//! A notification says only "look again", so a subscription is a set of flags and no queue: a client that does not
//! read costs what it subscribed to and nothing more, and still sees the last change when it reads on.
//!
//! ```text
//! handle ─→ bus ─→ hub ─→ flags of each subscription ─→ its stream, when that has room
//! ```

mod bus;
mod hub;
mod subscription;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use bus::Loopback;
pub use bus::{Bus, Inbox};
pub(crate) use hub::Hub;
pub(crate) use subscription::{Interests, Started, Subscription};

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Something that clients are told to look at again.
///
/// ```
/// use mcp_runtime::Change;
///
/// let change = Change::Resource("file:///notes.txt".into());
/// assert_eq!(serde_json::to_string(&change).unwrap(), r#"{"resource":"file:///notes.txt"}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Change {
    /// The list of tools: `notifications/tools/list_changed`.
    Tools,
    /// The list of prompts: `notifications/prompts/list_changed`.
    Prompts,
    /// The lists of resources and of resource templates: `notifications/resources/list_changed`.
    Resources,
    /// What the resource at this address holds: `notifications/resources/updated`.
    Resource(Arc<str>),
}

impl Change {
    /// The method of the notification that tells it.
    pub(crate) fn method(&self) -> &'static str {
        match self {
            Self::Tools => "notifications/tools/list_changed",
            Self::Prompts => "notifications/prompts/list_changed",
            Self::Resources => "notifications/resources/list_changed",
            Self::Resource(_) => "notifications/resources/updated",
        }
    }
}
