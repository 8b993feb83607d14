//! What every request reads: the catalog, the shared state, and what was serialized beforehand.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use super::{Catalog, Eras, Live, Pages};
use crate::changes::Hub;
use crate::dispatch::Detached;
use crate::dispatch::list::Kind;
use crate::input::SealStore;
use crate::protocol::Cache;
use crate::seal::KeyRing;

/// A value of any type, shared.
pub(super) type SharedState = Arc<dyn Any + Send + Sync>;

/// Everything that does not change while the server runs, and what it offers now.
pub(crate) struct Core {
    live: Arc<Live>,
    states: HashMap<TypeId, SharedState>,
    keys: Arc<KeyRing>,
    seal_store: Option<Arc<dyn SealStore>>,
    eras: Eras,
    limits: Limits,
    identity: Arc<Identity>,
    detached: Detached,
    server_info: Vec<u8>,
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
    /// The most subscriptions at once.
    pub(crate) subscriptions: usize,
    /// How long what is in flight may go on when the server stops.
    pub(crate) grace: Duration,
    /// The most items of one page.
    pub(crate) page_size: usize,
    /// How long the state of a suspended call can be brought back.
    pub(crate) seal_ttl: Duration,
    /// The largest state of a suspended call, in bytes as sealed.
    pub(crate) seal_size: usize,
    /// The longest that a client may take to answer what a live call asks.
    pub(crate) ask_timeout: Duration,
    /// The most sessions over HTTP.
    pub(crate) sessions: usize,
    /// How long a session over HTTP is kept without a request.
    pub(crate) session_idle: Duration,
}

/// How long clients may keep what.
#[derive(Clone, Copy)]
pub(super) struct CacheHints {
    pub(super) lists: Cache,
    pub(super) reads: Cache,
}

/// What the server says about itself.
pub(crate) struct Identity {
    /// The `Implementation` object: name, version, title and so on.
    pub(crate) info: Value,
    pub(crate) instructions: Option<String>,
}

/// What a [`Core`] is made of.
pub(super) struct Parts {
    pub(super) live: Arc<Live>,
    pub(super) states: HashMap<TypeId, SharedState>,
    pub(super) keys: Arc<KeyRing>,
    pub(super) seal_store: Option<Arc<dyn SealStore>>,
    pub(super) eras: Eras,
    pub(super) limits: Limits,
    pub(super) cache: CacheHints,
    pub(super) identity: Arc<Identity>,
}

impl Core {
    pub(super) fn new(parts: Parts) -> Self {
        let Parts { live, states, keys, seal_store, eras, limits, cache, identity } = parts;
        let server_info = format!("\"io.modelcontextprotocol/serverInfo\":{}", identity.info).into_bytes();
        let read_cache = Pages::cache_members(cache.reads).into_bytes();
        Self {
            live,
            states,
            keys,
            seal_store,
            eras,
            limits,
            identity,
            detached: Detached::default(),
            server_info,
            read_cache,
        }
    }

    /// What the server offers now. A request asks once.
    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        self.live.catalog()
    }

    /// What can be changed while the server runs.
    pub(crate) fn live(&self) -> &Arc<Live> {
        &self.live
    }

    /// `ServerCapabilities`, as they are now.
    pub(crate) fn capabilities(&self) -> Map<String, Value> {
        self.catalog().capabilities().clone()
    }

    /// What the server says about itself.
    pub(crate) fn identity(&self) -> &Identity {
        &self.identity
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
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
        let catalog = self.catalog();
        self.keys.is_private && (catalog.has_cursors() || catalog.may_change())
    }

    pub(crate) fn seal_store(&self) -> Option<&dyn SealStore> {
        self.seal_store.as_deref()
    }

    /// Which clients are served.
    pub(crate) fn eras(&self) -> Eras {
        self.eras
    }

    /// Who is told of changes.
    pub(crate) fn hub(&self) -> &Arc<Hub> {
        self.live.hub()
    }

    /// The calls that go on without their clients.
    pub(crate) fn detached(&self) -> &Detached {
        &self.detached
    }

    pub(crate) fn page_size(&self) -> usize {
        self.limits.page_size
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

    /// The cache hints of `resources/read`.
    pub(crate) fn read_cache(&self) -> &[u8] {
        &self.read_cache
    }
}
