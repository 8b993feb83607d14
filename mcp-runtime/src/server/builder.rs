//! `Server`: what its author sets before it runs.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::core::{CacheHints, Core, Identity, Limits, Parts, SharedState};
use super::pages::Press;
use super::{Eras, Live, ServerHandle};
use crate::changes::{Bus, Hub};
use crate::input::SealStore;
use crate::protocol::{Cache, Icon};
use crate::registry::{Entry, Faults, Selection, StartError};
use crate::seal::KeyRing;
use crate::watch::Watchers;

/// A server: every `#[tool]`, `#[resource]` and `#[prompt]` that is linked into the binary, and how to serve
/// them.
///
/// ```no_run
/// use mcp_runtime::prelude::*;
///
/// /// Add two numbers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// #[tokio::main]
/// async fn main() -> Result<()> {
///     mcp_runtime::server!().instructions("Adds numbers.").run().await
/// }
/// ```
///
/// [`server!`](crate::server!) is `Server::new()` with the name of the binary and the version of its package;
/// [`main!`](crate::main!) is the whole `fn main`.
#[must_use = "a server does nothing until it is run or served"]
pub struct Server {
    name: Option<String>,
    title: Option<String>,
    version: String,
    description: Option<String>,
    website: Option<String>,
    icons: Vec<Icon>,
    instructions: Option<String>,
    states: HashMap<TypeId, SharedState>,
    selection: Selection,
    seal_keys: Option<String>,
    seal_store: Option<Arc<dyn SealStore>>,
    bus: Option<Box<dyn Bus>>,
    eras: Eras,
    live: Arc<Live>,
    limits: Limits,
    cache: CacheHints,
    #[cfg(feature = "cli")]
    pub(super) command: Option<crate::cli::Command>,
    #[cfg(feature = "http")]
    pub(crate) http: crate::transport::http::HttpOptions,
}

impl Default for Server {
    fn default() -> Self {
        Self::new()
    }
}

impl Server {
    /// A server with every entry that is linked into the binary.
    pub fn new() -> Self {
        Self {
            name: None,
            title: None,
            version: "0.0.0".to_owned(),
            description: None,
            website: None,
            icons: Vec::new(),
            instructions: None,
            states: HashMap::new(),
            selection: Selection::default(),
            seal_keys: None,
            seal_store: None,
            bus: None,
            eras: Eras::default(),
            live: Arc::default(),
            limits: Limits {
                timeout: Duration::from_secs(600),
                body: 4 * 1024 * 1024,
                in_flight: 1024,
                subscriptions: 10_000,
                grace: Duration::from_secs(5),
                page_size: 100,
                seal_ttl: Duration::from_secs(3600),
                seal_size: 64 * 1024,
                ask_timeout: Duration::from_secs(300),
                sessions: 10_000,
                session_idle: Duration::from_secs(30 * 60),
            },
            cache: CacheHints {
                lists: Cache::public(Duration::from_secs(60)),
                reads: Cache::private(Duration::ZERO),
            },
            #[cfg(feature = "cli")]
            command: None,
            #[cfg(feature = "http")]
            http: crate::transport::http::HttpOptions::default(),
        }
    }

    /// The name in `serverInfo`; by default that of the executable file.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// The version in `serverInfo`.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = version.into();
        self
    }

    /// What the server is, in a sentence for people.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The address of the server's web page.
    pub fn website(mut self, url: impl Into<String>) -> Self {
        self.website = Some(url.into());
        self
    }

    /// An icon of the server; call it again for another size or theme.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.icons.push(icon);
        self
    }

    /// "Natural-language guidance for LLMs on how to use this server effectively" (server/discover).
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Shares a value with every function that has a parameter [`State<T>`](crate::State).
    ///
    /// A second value of the same type replaces the first.
    pub fn state<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.states.insert(TypeId::of::<T>(), Arc::new(value));
        self
    }

    /// Offers the entries of this module, with the modules inside it, or of this group only.
    ///
    /// Call it again to add another. `Server::new().only(module_path!())` offers what stands in this file.
    pub fn only(mut self, module_or_group: impl Into<String>) -> Self {
        self.selection.only.push(module_or_group.into());
        self
    }

    /// The most items of one page of a list; 100 by default. Zero counts as one.
    pub fn page_size(mut self, items: usize) -> Self {
        self.limits.page_size = items.max(1);
        self
    }

    /// How long clients may keep the lists; one minute, shared, by default.
    pub fn cache(mut self, lists: Cache) -> Self {
        self.cache.lists = lists;
        self
    }

    /// How long clients may keep what they read of resources; not at all by default.
    pub fn cache_reads(mut self, reads: Cache) -> Self {
        self.cache.reads = reads;
        self
    }

    /// The longest that one request may take; ten minutes by default. A tool's `timeout` goes before it.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.limits.timeout = timeout;
        self
    }

    /// The largest message in bytes, over HTTP and over stdio; 4 MiB by default.
    pub fn body_limit(mut self, bytes: usize) -> Self {
        // A message's parts are addressed with 32 bits.
        self.limits.body = bytes.min(u32::MAX as usize / 2);
        self
    }

    /// The most requests that run at once; 1024 by default. One more is turned away, to be tried again.
    pub fn max_in_flight(mut self, requests: usize) -> Self {
        self.limits.in_flight = requests.max(1);
        self
    }

    /// The clients that are served: those of the current revision, those of older ones, or (by default) both, at once
    /// and on one endpoint.
    ///
    /// ```
    /// use mcp_runtime::{Eras, Server};
    ///
    /// let server = Server::new().eras(Eras::Modern);
    /// ```
    pub fn eras(mut self, eras: Eras) -> Self {
        self.eras = eras;
        self
    }

    /// How long a client of an older revision may take to answer what a function asks while it waits; five minutes by
    /// default. Other clients bring answers back within [`seal_ttl`](Self::seal_ttl).
    pub fn ask_timeout(mut self, timeout: Duration) -> Self {
        self.limits.ask_timeout = timeout;
        self
    }

    /// The most sessions of clients of older revisions over HTTP; 10,000 by default. One more ends the session that
    /// was idle for longest, or is turned away with `503` where none is idle: each has a call that runs, or a stream.
    pub fn max_sessions(mut self, sessions: usize) -> Self {
        self.limits.sessions = sessions.max(1);
        self
    }

    /// How long a session over HTTP is kept without a request, a call that runs, or a stream; half an hour by default. "When a client
    /// receives HTTP 404 in response to a request containing an `Mcp-Session-Id`, it MUST start a new session".
    pub fn session_idle(mut self, idle: Duration) -> Self {
        self.limits.session_idle = idle;
        self
    }

    /// The most `subscriptions/listen` streams at once; 10,000 by default. They do not count as requests that run.
    pub fn max_subscriptions(mut self, subscriptions: usize) -> Self {
        self.limits.subscriptions = subscriptions;
        self
    }

    /// Carries changes (of lists, of resources) to the clients of other instances, and theirs to this one's.
    ///
    /// See [`Bus`]; without one they reach the clients of this process.
    pub fn bus(mut self, bus: impl Bus) -> Self {
        self.bus = Some(Box::new(bus));
        self
    }

    /// Changes the server while it runs: tools, resources and prompts that come and go, resources that are updated.
    ///
    /// Taken before the server starts, it tells clients that there may be changes (`listChanged`, `subscribe`); and
    /// what it adds before the start is there from the start. In a handler, see
    /// [`Context::server`](crate::Context::server).
    ///
    /// ```
    /// use mcp_runtime::{DynamicTool, Context, Server};
    ///
    /// # fn example() -> Result<(), mcp_runtime::AddError> {
    /// let server = Server::new();
    /// let handle = server.handle();
    /// handle.add_tool(DynamicTool::new("version", |_: Context| async { env!("CARGO_PKG_VERSION") }))?;
    /// # Ok(())
    /// # }
    /// # example().unwrap();
    /// ```
    pub fn handle(&self) -> ServerHandle {
        self.live.take_handle();
        ServerHandle::new(&self.live)
    }

    /// How long requests in flight may go on when the server stops; five seconds by default.
    pub fn shutdown_grace(mut self, grace: Duration) -> Self {
        self.limits.grace = grace;
        self
    }

    /// The keys that seal what clients bring back, so that every instance behind a load balancer opens it.
    ///
    /// 32 bytes each in base64 or hexadecimal, separated by commas; the first seals, all of them open. By
    /// default the environment's `MCP_SEAL_KEYS`, else one that lives as long as the process.
    pub fn seal_keys(mut self, keys: impl Into<String>) -> Self {
        self.seal_keys = Some(keys.into());
        self
    }

    /// How long a client may take to bring back what it was asked for; one hour by default.
    pub fn seal_ttl(mut self, ttl: Duration) -> Self {
        self.limits.seal_ttl = ttl;
        self
    }

    /// The largest `requestState` in bytes; 64 KiB by default. It holds the answers and the results of
    /// [`once`](crate::Context::once) so far.
    pub fn seal_size_limit(mut self, bytes: usize) -> Self {
        self.limits.seal_size = bytes;
        self
    }

    /// Lets each `requestState` be brought back once only, for flows in which a repetition must not count.
    ///
    /// ```
    /// use mcp_runtime::{MemorySealStore, Server};
    ///
    /// let server = Server::new().seal_store(MemorySealStore::new());
    /// ```
    pub fn seal_store(mut self, store: impl SealStore) -> Self {
        self.seal_store = Some(Arc::new(store));
        self
    }

    /// Validates everything and builds what requests are served from.
    ///
    /// # Errors
    ///
    /// Every fault of every entry, at once.
    pub(crate) fn build(self) -> Result<Arc<Core>, StartError> {
        self.build_from(inventory::iter::<Entry>.into_iter().copied())
    }

    fn build_from(self, entries: impl Iterator<Item = Entry>) -> Result<Arc<Core>, StartError> {
        let mut faults = Faults::default();
        let states = self.states.keys().copied().collect();
        self.live.link(entries, &self.selection, &states, &mut faults);
        let keys = match self.given_seal_keys() {
            None => KeyRing::random(),
            Some(keys) => KeyRing::parse(&keys).unwrap_or_else(|fault| {
                faults.note(fault);
                KeyRing::random()
            }),
        };
        #[cfg(feature = "http")]
        self.http.check(self.eras, &mut faults);
        faults.into_result()?;
        let identity = Arc::new(Identity { info: self.implementation(), instructions: self.instructions });
        let keys = Arc::new(keys);
        let press =
            Press { page_size: self.limits.page_size, cache: self.cache.lists, keys: Arc::clone(&keys) };
        self.live.start(press, Arc::clone(&identity), Hub::new(self.bus));
        let core = Arc::new(Core::new(Parts {
            live: self.live,
            states: self.states,
            keys,
            seal_store: self.seal_store,
            eras: self.eras,
            limits: self.limits,
            cache: self.cache,
            identity,
        }));
        core.hub().watch_with(Watchers::new(&core));
        Ok(core)
    }

    /// The author's keys, else those of the environment.
    pub(super) fn given_seal_keys(&self) -> Option<String> {
        self.seal_keys.clone().or_else(|| std::env::var("MCP_SEAL_KEYS").ok())
    }

    /// `Implementation` (basic/index, `_meta`).
    ///
    /// ```json
    /// {"name": "quickstart", "title": "Quickstart", "version": "0.1.0"}
    /// ```
    fn implementation(&self) -> Value {
        let mut info = Map::new();
        info.insert("name".to_owned(), self.display_name().into());
        for (key, value) in [
            ("title", self.title.as_ref()),
            ("version", Some(&self.version)),
            ("description", self.description.as_ref()),
            ("websiteUrl", self.website.as_ref()),
        ] {
            if let Some(value) = value {
                info.insert(key.to_owned(), value.clone().into());
            }
        }
        if !self.icons.is_empty() {
            info.insert("icons".to_owned(), json!(self.icons));
        }
        info.into()
    }

    pub(crate) fn display_name(&self) -> String {
        let executable = || {
            let path = std::env::current_exe().ok()?;
            Some(path.file_stem()?.to_string_lossy().into_owned())
        };
        self.name.clone().or_else(executable).unwrap_or_else(|| "mcp-server".to_owned())
    }

    #[cfg(feature = "cli")]
    pub(crate) fn version_text(&self) -> &str {
        &self.version
    }

    /// What the help says that this is.
    #[cfg(feature = "cli")]
    pub(crate) fn about_text(&self) -> String {
        self.description.clone().or_else(|| self.title.clone()).unwrap_or_else(|| "An MCP server".to_owned())
    }
}
