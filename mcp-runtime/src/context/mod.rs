//! What a handler can ask and say while its call runs.

mod cancel;
mod client;
mod current;
mod detach;
mod outbox;
mod progress;

pub(crate) use cancel::CancelOnDrop;
pub use client::{Client, ClientInfo};
pub(crate) use current::{current, enter};
pub(crate) use outbox::{Outbox, Outgoing};

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::input::Flow;
use crate::message::{Meta, Request};
use crate::protocol::{Error, LogLevel};
use crate::registry::Registry;
use crate::server::{Catalog, Core, ServerHandle};
use cancel::Cancel;

/// One call's view of its request, its client and its server.
///
/// Take it as `&Context`, or as `Context` for work that outlives the handler (it is cheap to clone).
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Index the documents.
/// #[tool]
/// async fn index(documents: Vec<String>, ctx: &Context) -> String {
///     for (done, document) in documents.iter().enumerate() {
///         ctx.progress(done as f64, documents.len() as f64, document);
///     }
///     format!("{} documents indexed", documents.len())
/// }
/// ```
#[derive(Clone)]
pub struct Context {
    inner: Arc<Inner>,
}

struct Inner {
    core: Arc<Core>,
    catalog: Arc<Catalog>,
    request: Request,
    log_level: Option<LogLevel>,
    outbox: Outbox,
    cancel: Cancel,
    is_detached: AtomicBool,
    flow: Flow,
    /// Whether the client is asked while the call waits, instead of in another round.
    is_live: bool,
    /// The silence after which the call shows that it goes on.
    heartbeat: OnceLock<Duration>,
    failure: OnceLock<Error>,
    client: OnceLock<Arc<Client>>,
}

/// What a client said for all of its requests, where a session began with that.
#[derive(Clone)]
pub(crate) struct Introduction {
    pub(crate) client: Arc<Client>,
    pub(crate) log_level: LogLevel,
}

impl Context {
    /// The context of a request, which works on the catalog that it was admitted by.
    pub(crate) fn new(core: Arc<Core>, catalog: Arc<Catalog>, request: Request, outgoing: Outgoing) -> Self {
        let level = request.params.meta.as_ref().and_then(|meta| meta.log_level.as_ref());
        let log_level = level.and_then(|level| LogLevel::parse(level.get(&request.text)));
        Self::with(core, catalog, request, outgoing, log_level, None)
    }

    /// The context of a request in a session, whose client can be asked while the call waits.
    pub(crate) fn in_session(
        core: Arc<Core>,
        catalog: Arc<Catalog>,
        request: Request,
        outgoing: Outgoing,
        introduction: Introduction,
    ) -> Self {
        let Introduction { client, log_level } = introduction;
        Self::with(core, catalog, request, outgoing, Some(log_level), Some(client))
    }

    fn with(
        core: Arc<Core>,
        catalog: Arc<Catalog>,
        request: Request,
        outgoing: Outgoing,
        log_level: Option<LogLevel>,
        introduced: Option<Arc<Client>>,
    ) -> Self {
        let inner = Inner {
            core,
            catalog,
            request,
            log_level,
            outbox: Outbox::new(outgoing),
            cancel: Cancel::default(),
            is_detached: AtomicBool::new(false),
            flow: Flow::default(),
            is_live: introduced.is_some(),
            heartbeat: OnceLock::new(),
            failure: OnceLock::new(),
            client: introduced.map_or_else(OnceLock::new, OnceLock::from),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Tells the client how far the work is (basic/patterns/progress).
    ///
    /// `progress` must grow from call to call, in a unit of your choice; `total` is its end, or `None` where
    /// it is unknown; an empty `message` is left out. Nothing is sent to a client that did not ask for
    /// progress, a value that does not grow is dropped, and a burst is thinned out to what a person can
    /// follow, of which the last one always arrives. Where there is nothing to say for long, `heartbeat = "15s"` in the
    /// attribute shows that the call goes on.
    ///
    /// ```json
    /// {"method": "notifications/progress",
    ///  "params": {"progressToken": "abc123", "progress": 50, "total": 100, "message": "asking upstream"}}
    /// ```
    pub fn progress(&self, progress: f64, total: impl Into<Option<f64>>, message: impl AsRef<str>) {
        let Some(token) = self.request_meta().and_then(|meta| meta.progress_token) else { return };
        let token = self.inner.request.text.get(token);
        self.inner.outbox.progress(token, progress, total.into(), message.as_ref());
    }

    /// Sends a log message to a client that asked for this level or a lower one (server/utilities/logging).
    ///
    /// ```json
    /// {"method": "notifications/message", "params": {"level": "info", "data": "12 rows"}}
    /// ```
    ///
    /// Events of the crate `tracing` inside a call arrive the same way; see [`LogLayer`](crate::LogLayer).
    pub fn log(&self, level: LogLevel, data: impl Serialize) {
        self.log_as(level, None, &data);
    }

    pub(crate) fn log_as(&self, level: LogLevel, logger: Option<&str>, data: &dyn erased::Data) {
        if self.wants_log(level) {
            self.inner.outbox.log(level, logger, data);
        }
    }

    /// Whether a log message of this level would be sent, for messages that are costly to make.
    pub fn wants_log(&self, level: LogLevel) -> bool {
        self.inner.log_level.is_some_and(|least| level >= least)
    }

    /// Completes when the client gave up on the call: it cancelled, it went away, or the call took too long.
    /// Also when the handler waits for the client and is going to run again with the answer. After
    /// [`detach`](Self::detach), that the client goes away is no end.
    ///
    /// The handler's own future is simply dropped then; this is for work that it spawned.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    ///
    /// /// Start a job that ends with its client.
    /// #[tool]
    /// async fn start(ctx: Context) -> &'static str {
    ///     let ended = tokio::spawn(async move { ctx.cancelled().await });
    ///     drop(ended);
    ///     "started"
    /// }
    /// ```
    pub async fn cancelled(&self) {
        self.inner.cancel.wait().await;
    }

    /// Whether the client gave up on the call, for loops in synchronous functions.
    pub fn is_cancelled(&self) -> bool {
        self.inner.cancel.is_set()
    }

    /// The client that is asking, as it describes itself.
    pub fn client(&self) -> &Client {
        self.inner.client.get_or_init(|| Arc::new(Client::of(&self.inner.request)))
    }

    /// Lets a client that waits over HTTP go: its connection is closed, the call goes on, and the client comes back for
    /// the answer after `retry`. For work that takes longer than connections last.
    ///
    /// "The server MAY close the connection (without terminating the SSE stream) at any time in order to avoid
    /// holding a long-lived connection. The client SHOULD then 'poll' the SSE stream by attempting to reconnect."
    /// (2025-11-25, basic/transports). Only clients of that revision do so; for any other one nothing happens.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use mcp_runtime::prelude::*;
    ///
    /// /// Build the whole project.
    /// #[tool]
    /// async fn build(ctx: &Context) -> &'static str {
    ///     ctx.close_stream(Duration::from_secs(30));
    ///     tokio::time::sleep(Duration::from_secs(300)).await;
    ///     "built"
    /// }
    /// ```
    pub fn close_stream(&self, retry: Duration) {
        if self.inner.is_live {
            self.inner.flow.release(retry);
        }
    }

    /// A value of the request's `_meta`, if it is there and is of this type.
    ///
    /// ```
    /// # fn example(ctx: &mcp_runtime::Context) {
    /// let trace: Option<String> = ctx.meta("traceparent");
    /// # }
    /// ```
    pub fn meta<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let text = &self.inner.request.text;
        let (_, value) = self.request_meta()?.other.iter().find(|(name, _)| name.get(text) == key)?;
        serde_json::from_str(text.get(*value)).ok()
    }

    /// The state of this type that was registered with [`Server::state`](crate::Server::state).
    pub fn state<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.inner.core.state::<T>()
    }

    /// Changes the server: adds and removes tools, resources and prompts, tells of resources that were updated.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    ///
    /// /// Write the note.
    /// #[tool]
    /// fn write(text: String, ctx: &Context) {
    ///     // ..
    ///     # let _ = text;
    ///     ctx.server().resource_updated("notes://today");
    /// }
    /// ```
    ///
    /// This call, and what else is in flight, goes on with what it began with.
    pub fn server(&self) -> ServerHandle {
        ServerHandle::new(self.inner.core.live())
    }

    /// The JSON-RPC id of the request, as JSON.
    pub fn request_id(&self) -> &str {
        self.inner.request.id()
    }

    pub(crate) fn shared<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.inner.core.shared_state::<T>()
    }

    pub(crate) fn core(&self) -> &Arc<Core> {
        &self.inner.core
    }

    /// What the server offered when the request came.
    pub(crate) fn catalog(&self) -> &Catalog {
        &self.inner.catalog
    }

    pub(crate) fn registry(&self) -> &Registry {
        self.inner.catalog.registry()
    }

    pub(crate) fn request(&self) -> &Request {
        &self.inner.request
    }

    pub(crate) fn outbox(&self) -> &Outbox {
        &self.inner.outbox
    }

    pub(crate) fn flow(&self) -> &Flow {
        &self.inner.flow
    }

    pub(crate) fn is_live(&self) -> bool {
        self.inner.is_live
    }

    /// Cancels the call when the guard is dropped before it is disarmed.
    pub(crate) fn cancel_on_drop(&self) -> CancelOnDrop {
        CancelOnDrop::new(self.clone())
    }

    pub(crate) fn cancel(&self) {
        self.inner.cancel.set();
    }

    /// Shows a client that asked for progress, whenever nothing was said for this long, that the call goes on.
    pub(crate) fn beat_every(&self, silence: Duration) {
        if self.request_meta().is_some_and(|meta| meta.progress_token.is_some()) {
            self.inner.outbox.repeat_progress();
            let _ = self.inner.heartbeat.set(silence);
        }
    }

    /// The silence after which a heartbeat is due, where there are to be any.
    pub(crate) fn heartbeat(&self) -> Option<Duration> {
        self.inner.heartbeat.get().copied()
    }

    /// A sign of life, where there is nothing else to say.
    pub(crate) fn beat(&self) -> Option<Vec<u8>> {
        let token = self.request_meta()?.progress_token?;
        self.inner.outbox.beat(self.inner.request.text.get(token))
    }

    pub(crate) fn is_logging(&self) -> bool {
        self.inner.log_level.is_some()
    }

    /// Notes a protocol failure that wins over whatever the handler makes of it (DESIGN, decision 8).
    pub(crate) fn fail(&self, error: Error) {
        let _ = self.inner.failure.set(error);
    }

    pub(crate) fn failure(&self) -> Option<&Error> {
        self.inner.failure.get()
    }

    fn request_meta(&self) -> Option<&Meta> {
        self.inner.request.params.meta.as_ref()
    }
}

/// `Serialize`, as much of it as a log message needs, behind a pointer.
pub(crate) mod erased {
    use serde::Serialize;

    pub(crate) trait Data {
        fn write_json(&self, out: &mut Vec<u8>) -> Result<(), serde_json::Error>;
    }

    impl<T: Serialize + ?Sized> Data for T {
        fn write_json(&self, out: &mut Vec<u8>) -> Result<(), serde_json::Error> {
            serde_json::to_writer(out, self)
        }
    }
}
