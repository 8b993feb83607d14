//! What every request reads: the registry, the shared state, and what was serialized beforehand.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::Pages;
use crate::dispatch::list::Kind;
use crate::input::SealStore;
use crate::protocol::{Cache, MODERN_VERSIONS, Method};
use crate::registry::Registry;
use crate::seal::KeyRing;

/// A value of any type, shared.
pub(super) type SharedState = Arc<dyn Any + Send + Sync>;

/// Everything that does not change while the server runs.
pub(crate) struct Core {
    registry: Registry,
    states: HashMap<TypeId, SharedState>,
    keys: KeyRing,
    seal_store: Option<Arc<dyn SealStore>>,
    limits: Limits,
    pages: [Pages; 4],
    server_info: Vec<u8>,
    discovery: Vec<u8>,
    read_cache: Vec<u8>,
}

/// What bounds a request.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// The longest that a call may take.
    pub(crate) timeout: Duration,
    /// The largest message, in bytes.
    pub(crate) body: usize,
    /// The most requests in flight at once.
    pub(crate) in_flight: usize,
    /// How long what is in flight may go on when the server stops.
    pub(crate) grace: Duration,
    /// The most items of one page.
    pub(crate) page_size: usize,
    /// How long the state of a suspended call can be brought back.
    pub(crate) seal_ttl: Duration,
    /// The largest state of a suspended call, in bytes as sealed.
    pub(crate) seal_size: usize,
}

/// How long clients may keep what.
#[derive(Clone, Copy)]
pub(super) struct CacheHints {
    pub(super) lists: Cache,
    pub(super) reads: Cache,
}

/// What the server says about itself.
pub(super) struct Identity {
    /// The `Implementation` object: name, version, title and so on.
    pub(super) info: Value,
    pub(super) instructions: Option<String>,
}

impl Core {
    pub(super) fn new(
        registry: Registry,
        states: HashMap<TypeId, SharedState>,
        keys: KeyRing,
        seal_store: Option<Arc<dyn SealStore>>,
        limits: Limits,
        cache: CacheHints,
        identity: &Identity,
    ) -> Self {
        let page =
            |kind: Kind, items: Vec<&[u8]>| Pages::new(kind, &items, limits.page_size, cache.lists, &keys);
        let pages = [
            page(Kind::Tools, registry.tools.iter().map(|tool| &*tool.listing).collect()),
            page(Kind::Resources, registry.resources.iter().map(|resource| &*resource.listing).collect()),
            page(Kind::Templates, registry.templates.iter().map(|template| &*template.listing).collect()),
            page(Kind::Prompts, registry.prompts.iter().map(|prompt| &*prompt.listing).collect()),
        ];
        let server_info = format!("\"io.modelcontextprotocol/serverInfo\":{}", identity.info).into_bytes();
        let discovery = discovery(&registry, cache.lists, identity);
        let read_cache = Pages::cache_members(cache.reads).into_bytes();
        Self { registry, states, keys, seal_store, limits, pages, server_info, discovery, read_cache }
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.registry
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Whether the server has the capability that a method belongs to; "`-32601` (Capability not supported)"
    /// otherwise.
    pub(crate) fn serves(&self, method: Method) -> bool {
        match method {
            Method::Discover => true,
            Method::ToolsList | Method::ToolsCall => !self.registry.tools.is_empty(),
            Method::ResourcesList | Method::ResourceTemplatesList | Method::ResourcesRead => {
                self.registry.has_resources()
            }
            Method::PromptsList | Method::PromptsGet => !self.registry.prompts.is_empty(),
            Method::Complete => self.registry.completes(),
        }
    }

    pub(crate) fn state<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.states.get(&TypeId::of::<T>())?.downcast_ref()
    }

    pub(crate) fn shared_state<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        Arc::clone(self.states.get(&TypeId::of::<T>())?).downcast().ok()
    }

    pub(crate) fn request_timeout(&self) -> Duration {
        self.limits.timeout
    }

    pub(crate) fn keys(&self) -> &KeyRing {
        &self.keys
    }

    /// Whether clients bring back what only this process can open: states of suspended calls, or cursors.
    #[cfg_attr(not(feature = "http"), allow(dead_code, reason = "only HTTP has several instances"))]
    pub(crate) fn seals_for_itself(&self) -> bool {
        // The lists of templates are made by the author's functions, and may have any length.
        let has_cursors = !self.pages.iter().all(Pages::is_single)
            || self.registry.templates.iter().any(|template| template.entry.list.is_some());
        self.keys.is_private && (has_cursors || self.registry.may_ask())
    }

    pub(crate) fn seal_store(&self) -> Option<&dyn SealStore> {
        self.seal_store.as_deref()
    }

    pub(crate) fn page_size(&self) -> usize {
        self.limits.page_size
    }

    pub(crate) fn pages(&self, kind: Kind) -> &Pages {
        &self.pages[kind as usize]
    }

    pub(crate) fn cursor(&self, kind: Kind, offset: usize) -> String {
        Pages::cursor(&self.keys, kind, offset)
    }

    pub(crate) fn open_cursor(&self, kind: Kind, cursor: &str) -> Option<usize> {
        Pages::open_cursor(&self.keys, kind, cursor)
    }

    /// `"io.modelcontextprotocol/serverInfo":{..}`, a member of every result's `_meta`.
    pub(crate) fn server_info_member(&self) -> &[u8] {
        &self.server_info
    }

    /// The members of the discovery result.
    pub(crate) fn discovery(&self) -> &[u8] {
        &self.discovery
    }

    /// The cache hints of `resources/read`.
    pub(crate) fn read_cache(&self) -> &[u8] {
        &self.read_cache
    }
}

/// The members of `DiscoverResult` (server/discover, Data Types).
///
/// ```json
/// {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "instructions": "..",
///  "ttlMs": 60000, "cacheScope": "public"}
/// ```
fn discovery(registry: &Registry, cache: Cache, identity: &Identity) -> Vec<u8> {
    let mut capabilities = Map::new();
    // Every handler can send log messages through its context. "Servers that emit log message notifications
    // MUST declare the `logging` capability."
    capabilities.insert("logging".to_owned(), json!({}));
    for (name, has) in [
        ("tools", !registry.tools.is_empty()),
        ("resources", registry.has_resources()),
        ("prompts", !registry.prompts.is_empty()),
        ("completions", registry.completes()),
    ] {
        if has {
            capabilities.insert(name.to_owned(), json!({}));
        }
    }
    let mut members = format!(
        "\"supportedVersions\":{},\"capabilities\":{},",
        json!(MODERN_VERSIONS),
        Value::Object(capabilities)
    );
    if let Some(instructions) = &identity.instructions {
        members.push_str("\"instructions\":");
        members.push_str(&json!(instructions).to_string());
        members.push(',');
    }
    members.push_str(&Pages::cache_members(cache));
    members.into_bytes()
}
