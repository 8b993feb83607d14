//! Changing a server while it runs.

use std::fmt;
use std::sync::{Arc, Weak};

use super::{AddError, Live};
use crate::changes::Change;
use crate::dynamic::{DynamicPrompt, DynamicResource, DynamicTool};
use crate::registry::{Entries, Faults, Kinds};

/// Changes a server while it runs: from [`Server::handle`](crate::Server::handle), or in a handler from
/// [`Context::server`](crate::Context::server).
///
/// Clients are told of every change that they can see, once; what is in flight goes on as it began. A change is one for
/// everybody: the set of tools "MAY change over time", but "MUST NOT vary per-connection or as a side effect of other
/// requests on the connection" (server/tools, Capabilities).
///
/// A handle does not keep its server alive, so handlers may hold one. When the server is gone there is nothing to
/// change: `add_..` fails then, and everything else says `false`.
///
/// ```standalone_crate
/// use mcp_runtime::testing::Client;
/// use mcp_runtime::{Context, DynamicTool, Server};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> mcp_runtime::Result<()> {
/// let server = Server::new();
/// let handle = server.handle();
/// let client = Client::new(server)?;
///
/// handle.add_tool(DynamicTool::new("ping", |_: Context| async { "pong" }))?;
/// assert_eq!(client.call("ping", json!({})).await?.text(), "pong");
///
/// assert!(handle.disable("ping"));
/// assert!(client.call("ping", json!({})).await.is_err());
///
/// assert!(handle.enable("ping"));
/// assert!(handle.remove_tool("ping"));
/// assert!(!handle.remove_tool("ping"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ServerHandle {
    /// A handler that holds a handle is held by the server; were this strong, neither would ever be dropped.
    live: Weak<Live>,
}

impl fmt::Debug for ServerHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerHandle").finish_non_exhaustive()
    }
}

impl ServerHandle {
    pub(crate) fn new(live: &Arc<Live>) -> Self {
        Self { live: Arc::downgrade(live) }
    }

    /// Adds a tool.
    ///
    /// # Errors
    ///
    /// A bad name or schema, or a name that another tool has; nothing changes then. Before the server starts it cannot
    /// be said whether a `#[tool]` has the name: that keeps the server from starting.
    pub fn add_tool(&self, tool: DynamicTool) -> Result<(), AddError> {
        let mut faults = Faults::default();
        let tool = Arc::new(tool.into_entry(&mut faults));
        self.add(Kinds::TOOLS, faults, tool, Entries::add_tool)
    }

    /// Adds a resource, or a template of resources.
    ///
    /// # Errors
    ///
    /// A bad template, or one that matches the same addresses as another; an address that another resource has; nothing
    /// changes then.
    pub fn add_resource(&self, resource: DynamicResource) -> Result<(), AddError> {
        let mut faults = Faults::default();
        match resource.into_entry(&mut faults) {
            Some(Ok(resource)) => {
                self.add(Kinds::RESOURCES, faults, Arc::new(resource), Entries::add_resource)
            }
            Some(Err(template)) => {
                self.add(Kinds::RESOURCES, faults, Arc::new(template), Entries::add_template)
            }
            None => Err(AddError::of(faults)),
        }
    }

    /// Adds a prompt.
    ///
    /// # Errors
    ///
    /// A name that another prompt has, or arguments that are none; nothing changes then.
    pub fn add_prompt(&self, prompt: DynamicPrompt) -> Result<(), AddError> {
        let mut faults = Faults::default();
        let prompt = Arc::new(prompt.into_entry(&mut faults));
        self.add(Kinds::PROMPTS, faults, prompt, Entries::add_prompt)
    }

    /// Takes away a tool that was added; says whether there was one. Calls in flight end as they would have.
    ///
    /// A `#[tool]` is not taken away but [disabled](ServerHandle::disable).
    pub fn remove_tool(&self, name: &str) -> bool {
        self.remove(Kinds::TOOLS, |entries| entries.remove_tool(name))
    }

    /// Takes away a resource, or a template, that was added; says whether there was one.
    ///
    /// ```
    /// # use mcp_runtime::{Context, DynamicResource, Server, Variables};
    /// # fn example() -> Result<(), mcp_runtime::AddError> {
    /// # let server = Server::new();
    /// # let handle = server.handle();
    /// handle.add_resource(DynamicResource::new("notes://{day}", |day: Variables, _: Context| async move {
    ///     format!("the notes of {}", day.get("day").unwrap_or_default())
    /// }))?;
    /// assert!(handle.remove_resource("notes://{day}"));
    /// # Ok(())
    /// # }
    /// # example().unwrap();
    /// ```
    pub fn remove_resource(&self, uri: &str) -> bool {
        if uri.contains('{') {
            self.remove(Kinds::RESOURCES, |entries| entries.remove_template(uri))
        } else {
            self.remove(Kinds::RESOURCES, |entries| entries.remove_resource(uri))
        }
    }

    /// Takes away a prompt that was added; says whether there was one.
    pub fn remove_prompt(&self, name: &str) -> bool {
        self.remove(Kinds::PROMPTS, |entries| entries.remove_prompt(name))
    }

    /// Hides entries: they are in no list, and answered as unknown, until they are [enabled](ServerHandle::enable).
    /// Says whether anything changed.
    ///
    /// `name` is the name of a tool, a prompt or a resource, the address or the template of a resource, or a group
    /// (`#[tool(group = "admin")]`): everything that it means is hidden, and so is what is added to the group
    /// later.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    ///
    /// /// Drop everything.
    /// #[tool(group = "admin")]
    /// fn reset() -> &'static str {
    ///     "done"
    /// }
    ///
    /// let server = Server::new();
    /// let handle = server.handle();
    /// assert!(handle.disable("admin"));
    /// assert!(!handle.is_enabled("reset"));
    /// assert!(handle.enable("reset"));
    /// assert!(!handle.enable("reset"));
    /// ```
    pub fn disable(&self, name: &str) -> bool {
        self.live.upgrade().is_some_and(|live| live.set(name, false))
    }

    /// Shows again what [`disable`](ServerHandle::disable) hid, all of it or a part; says whether anything changed.
    pub fn enable(&self, name: &str) -> bool {
        self.live.upgrade().is_some_and(|live| live.set(name, true))
    }

    /// Whether clients see an entry that this name, address, template or group means.
    pub fn is_enabled(&self, name: &str) -> bool {
        self.live.upgrade().is_some_and(|live| live.is_enabled(name))
    }

    /// Tells those who watch a resource that it holds something else: `notifications/resources/updated`. Says whether
    /// there is a resource, or a template, with this address.
    ///
    /// ```
    /// # let server = mcp_runtime::Server::new();
    /// # let handle = server.handle();
    /// handle.resource_updated("db://orders/rows/17");
    /// ```
    pub fn resource_updated(&self, uri: impl AsRef<str>) -> bool {
        let Some(live) = self.live.upgrade() else { return false };
        let uri = uri.as_ref();
        let is_there = live.catalog().registry().serves(uri);
        if !is_there {
            tracing::debug!("no resource has the address `{uri}`, which was updated");
        }
        live.publish(Change::Resource(uri.into()));
        is_there
    }

    /// Tells clients that the list of resources is another one, where a template's `list` function has more or fewer to
    /// give. Whatever is added, removed, enabled or disabled is told of by itself.
    ///
    /// ```
    /// # let server = mcp_runtime::Server::new();
    /// # let handle = server.handle();
    /// handle.resources_changed();
    /// ```
    pub fn resources_changed(&self) {
        self.publish(Change::Resources);
    }

    fn publish(&self, change: Change) {
        if let Some(live) = self.live.upgrade() {
            live.publish(change);
        }
    }

    fn add<T>(
        &self,
        kinds: Kinds,
        mut faults: Faults,
        entry: Arc<T>,
        add: fn(&mut Entries, Arc<T>, &mut Faults),
    ) -> Result<(), AddError> {
        let Some(live) = self.live.upgrade() else {
            faults.note("the server is gone: a handle does not keep it alive");
            return Err(AddError::of(faults));
        };
        if !faults.is_empty() {
            return Err(AddError::of(faults));
        }
        let faults = live.change(|entries| {
            // The entry itself is let go of later, if it is refused: dropping a handler is the author's code.
            add(entries, Arc::clone(&entry), &mut faults);
            let changed = if faults.is_empty() { kinds } else { Kinds::NONE };
            (faults, (), changed)
        });
        if faults.is_empty() { Ok(()) } else { Err(AddError::of(faults)) }
    }

    fn remove<T>(&self, kinds: Kinds, remove: impl FnOnce(&mut Entries) -> Option<(T, bool)>) -> bool {
        let Some(live) = self.live.upgrade() else { return false };
        live.change(|entries| {
            let removed = remove(entries);
            let was_seen = removed.as_ref().is_some_and(|(_, enabled)| *enabled);
            (removed.is_some(), removed, if was_seen { kinds } else { Kinds::NONE })
        })
    }
}
