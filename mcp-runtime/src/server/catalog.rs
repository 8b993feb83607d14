//! What the server offers at one time: every request works on the one that it began with.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::core::Identity;
use super::pages::{Pages, Press};
use crate::dispatch::list::Kind;
use crate::protocol::{Cache, MODERN_VERSIONS, Method};
use crate::registry::{Kinds, Registry};

/// What the server offers at one time, serialized as far as it can be. It never changes: a change makes another one.
#[derive(Default)]
pub(crate) struct Catalog {
    registry: Registry,
    pages: [Arc<Pages>; 4],
    served: Kinds,
    may_change: bool,
    may_notify: bool,
    capabilities: Map<String, Value>,
    discovery: Vec<u8>,
}

/// What is known of a server besides its entries.
pub(super) struct Offer {
    /// The kinds that are served, be they empty.
    pub(super) served: Kinds,
    /// Whether the lists, and what resources hold, can change.
    pub(super) may_change: bool,
    /// Whether clients can be told of a change: one that is made here, or that a bus brings.
    pub(super) may_notify: bool,
}

impl Catalog {
    /// The catalog of these entries. Lists of kinds that did not change are those of the catalog `before`.
    pub(super) fn new(
        registry: Registry,
        offer: &Offer,
        press: &Press,
        identity: &Identity,
        before: &Self,
        changed: Kinds,
    ) -> Self {
        let made = |kind: Kind, items: Vec<&[u8]>| Arc::new(Pages::new(kind, &items, press));
        let mut pages = before.pages.clone();
        if changed.tools {
            let items = registry.tools.iter().map(|tool| &*tool.listing);
            pages[Kind::Tools as usize] = made(Kind::Tools, items.collect());
        }
        if changed.resources {
            let items = registry.resources.iter().map(|resource| &*resource.listing);
            pages[Kind::Resources as usize] = made(Kind::Resources, items.collect());
            let items = registry.templates.iter().map(|template| &*template.listing);
            pages[Kind::Templates as usize] = made(Kind::Templates, items.collect());
        }
        if changed.prompts {
            let items = registry.prompts.iter().map(|prompt| &*prompt.listing);
            pages[Kind::Prompts as usize] = made(Kind::Prompts, items.collect());
        }
        let capabilities = capabilities(&registry, offer);
        let discovery = discovery(&capabilities, press.cache, identity);
        Self {
            registry,
            pages,
            served: offer.served,
            may_change: offer.may_change,
            may_notify: offer.may_notify,
            capabilities,
            discovery,
        }
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.registry
    }

    pub(crate) fn pages(&self, kind: Kind) -> &Pages {
        &self.pages[kind as usize]
    }

    /// The members of the discovery result.
    pub(crate) fn discovery(&self) -> &[u8] {
        &self.discovery
    }

    pub(crate) fn capabilities(&self) -> &Map<String, Value> {
        &self.capabilities
    }

    /// Whether the server has the capability that a method belongs to; "`-32601` (Capability not supported)"
    /// otherwise.
    pub(crate) fn serves(&self, method: Method) -> bool {
        match method {
            Method::Discover | Method::Listen => true,
            Method::ToolsList | Method::ToolsCall => self.served.tools,
            Method::ResourcesList | Method::ResourceTemplatesList | Method::ResourcesRead => {
                self.served.resources
            }
            Method::PromptsList | Method::PromptsGet => self.served.prompts,
            Method::Complete => self.registry.completes(),
        }
    }

    /// Whether clients can be told that a list became another.
    pub(crate) fn can_change(&self, kind: Kind) -> bool {
        let served = match kind {
            Kind::Tools => self.served.tools,
            Kind::Resources | Kind::Templates => self.served.resources,
            Kind::Prompts => self.served.prompts,
        };
        self.may_notify && served
    }

    /// Whether clients can be told that a resource was updated.
    pub(crate) fn can_subscribe(&self) -> bool {
        self.served.resources && (self.may_notify || self.registry.watches())
    }

    /// Whether functions can ask and change: those that take a context, there or still to be added.
    pub(super) fn may_change(&self) -> bool {
        self.may_change
    }

    /// Whether some list has several pages: those of templates are made by functions, and may have any length.
    pub(super) fn has_cursors(&self) -> bool {
        !self.pages.iter().all(|pages| pages.is_single())
            || self.registry.templates.iter().any(|template| template.list.is_some())
    }
}

/// `ServerCapabilities`: what there is, and which of it can change.
///
/// "`listChanged` indicates whether the server will emit notifications when the list of available tools changes."
/// (server/tools, Capabilities) "`subscribe`: whether the server supports resource-specific update notifications"
/// (server/resources, Capabilities)
fn capabilities(registry: &Registry, offer: &Offer) -> Map<String, Value> {
    let mut capabilities = Map::new();
    // Every handler can send log messages through its context. "Servers that emit log message notifications
    // MUST declare the `logging` capability."
    capabilities.insert("logging".to_owned(), json!({}));
    let list = if offer.may_notify { json!({ "listChanged": true }) } else { json!({}) };
    let resources = match (offer.may_notify, registry.watches()) {
        (true, _) => json!({ "subscribe": true, "listChanged": true }),
        (false, true) => json!({ "subscribe": true }),
        (false, false) => json!({}),
    };
    for (name, has, capability) in [
        ("tools", offer.served.tools, list.clone()),
        ("resources", offer.served.resources, resources),
        ("prompts", offer.served.prompts, list),
        ("completions", registry.completes(), json!({})),
    ] {
        if has {
            capabilities.insert(name.to_owned(), capability);
        }
    }
    capabilities
}

/// The members of `DiscoverResult` (server/discover, Data Types).
///
/// ```json
/// {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "instructions": "..",
///  "ttlMs": 60000, "cacheScope": "public"}
/// ```
fn discovery(capabilities: &Map<String, Value>, cache: Cache, identity: &Identity) -> Vec<u8> {
    let mut members =
        format!("\"supportedVersions\":{},\"capabilities\":{},", json!(MODERN_VERSIONS), json!(capabilities));
    if let Some(instructions) = &identity.instructions {
        members.push_str("\"instructions\":");
        members.push_str(&json!(instructions).to_string());
        members.push(',');
    }
    members.push_str(&Pages::cache_members(cache));
    members.into_bytes()
}
