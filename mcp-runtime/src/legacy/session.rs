//! One client of an older revision, from its `initialize` to the end of its connection.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context as Task, Poll, Waker};

use super::calls::Calls;
use super::{Call, Revision, own};
use crate::changes::{Change, Interests, Subscription};
use crate::context::{Client, Context, Introduction, Outgoing};
use crate::dispatch::list::Kind;
use crate::dispatch::{Exchange, Reply};
use crate::message::{Notification, Request, Response};
use crate::output::notification;
use crate::protocol::{Error, LogLevel, METHOD_NOT_FOUND, Method};
use crate::server::{Catalog, Core};

/// One client of an older revision: what was agreed on, what it watches, what it was asked.
///
/// It knows no transport. One that carries it
/// - starts each request with [`begin`](Self::begin) and sends what the [`Call`] gives;
/// - passes on notifications and responses;
/// - sends what [`poll_message`](Self::poll_message) gives, which belongs to no request.
pub(crate) struct Session {
    core: Arc<Core>,
    revision: Revision,
    client: Arc<Client>,
    log_level: Mutex<LogLevel>,
    is_initialized: AtomicBool,
    subscription: Subscription,
    calls: Calls,
    notices: Mutex<Notices>,
}

/// Messages that belong to no request and are no flags: that a question is withdrawn.
#[derive(Default)]
struct Notices {
    queue: VecDeque<Vec<u8>>,
    waker: Option<Waker>,
}

/// More are not kept for a client that does not read.
const NOTICES: usize = 1024;

impl Session {
    pub(super) fn new(core: Arc<Core>, revision: Revision, client: Client) -> Arc<Self> {
        let catalog = core.catalog();
        let interests = Interests {
            tools: catalog.can_change(Kind::Tools),
            prompts: catalog.can_change(Kind::Prompts),
            resources: catalog.can_change(Kind::Resources),
            uris: Vec::new(),
        };
        let subscription = core.hub().subscribe(&interests);
        Arc::new(Self {
            core,
            revision,
            client: Arc::new(client),
            // "If no `logging/setLevel` request has been sent from the client, the server MAY decide which messages
            // to send automatically." (2025-11-25, server/utilities/logging)
            log_level: Mutex::new(LogLevel::Info),
            is_initialized: AtomicBool::new(false),
            subscription,
            calls: Calls::default(),
            notices: Mutex::default(),
        })
    }

    pub(crate) fn revision(&self) -> Revision {
        self.revision
    }

    pub(super) fn core(&self) -> &Arc<Core> {
        &self.core
    }

    pub(super) fn calls(&self) -> &Calls {
        &self.calls
    }

    pub(super) fn subscription(&self) -> &Subscription {
        &self.subscription
    }

    pub(super) fn set_log_level(&self, level: LogLevel) {
        *self.log_level.lock().unwrap_or_else(PoisonError::into_inner) = level;
    }

    /// Starts a request: of the session itself, or of the core.
    pub(crate) fn begin(self: &Arc<Self>, request: Request, outgoing: Outgoing) -> Call {
        // Clients that forget the notification are served all the same.
        if request.method() != "ping" {
            self.initialized();
        }
        let catalog = self.core.catalog();
        match self.dispatch(&catalog, &request) {
            Err(reply) => Call::answered(self, reply),
            Ok(method) => Call::new(self, catalog, request, method, outgoing),
        }
    }

    /// The core's method, or the answer where it needs none.
    fn dispatch(&self, catalog: &Catalog, request: &Request) -> Result<Method, Reply> {
        let fail = |error: Error| Reply::error(Some(request.id()), &error);
        if let Some(fault) = &request.params.fault {
            return Err(fail(Error::invalid_params(format!("Invalid params: {fault}"))));
        }
        if let Some(reply) = own::answer(self, catalog, request) {
            return Err(reply);
        }
        let method = Method::parse(request.method()).filter(|method| method.is_legacy());
        method.filter(|method| catalog.serves(*method)).ok_or_else(|| {
            fail(Error::new(METHOD_NOT_FOUND, format!("Method not found: {}", request.method())))
        })
    }

    /// A request on its way through the core.
    pub(super) fn exchange(
        &self,
        catalog: Arc<Catalog>,
        request: Request,
        method: Method,
        outgoing: Outgoing,
    ) -> Exchange {
        let log_level = *self.log_level.lock().unwrap_or_else(PoisonError::into_inner);
        let introduction = Introduction { client: Arc::clone(&self.client), log_level };
        let ctx = Context::in_session(Arc::clone(&self.core), catalog, request, outgoing, introduction);
        Exchange::start(ctx, Ok(method))
    }

    /// Takes a notification, other than `notifications/cancelled`, which is the transport's.
    pub(crate) fn heed(&self, notification: &Notification) {
        match &*notification.method {
            "notifications/initialized" => self.initialized(),
            // Roots are asked for anew each time.
            "notifications/roots/list_changed" => {}
            other => tracing::debug!("ignored: the notification `{other}` is not known"),
        }
    }

    /// Takes the client's answer to a question.
    pub(crate) fn heed_response(&self, response: &Response) {
        let Some(id) = response.id() else {
            return tracing::debug!("ignored: a response without an id");
        };
        if !self.calls.answer(&id, || response.outcome()) {
            tracing::debug!("ignored: a response to {id}, which nobody waits for");
        }
    }

    /// The client cannot answer any more.
    #[cfg(feature = "stdio")]
    pub(crate) fn input_ended(&self) {
        self.calls.close();
    }

    /// "The server SHOULD NOT send requests other than pings and logging before receiving the `initialized`
    /// notification." (basic/lifecycle)
    fn initialized(&self) {
        if !self.is_initialized.load(Ordering::Relaxed) {
            self.is_initialized.store(true, Ordering::Release);
            let waker = self.notices().waker.take();
            if let Some(waker) = waker {
                waker.wake();
            }
        }
    }

    /// The next message that belongs to no request; nothing when the server is going to stop.
    pub(crate) fn poll_message(&self, task: &mut Task<'_>) -> Poll<Option<Vec<u8>>> {
        {
            let mut notices = self.notices();
            if let Some(line) = notices.queue.pop_front() {
                return Poll::Ready(Some(line));
            }
            match &mut notices.waker {
                Some(waker) => waker.clone_from(task.waker()),
                None => notices.waker = Some(task.waker().clone()),
            }
        }
        if !self.is_initialized.load(Ordering::Acquire) {
            return Poll::Pending;
        }
        self.subscription.poll_change(task).map(|change| Some(told(&change?)))
    }

    /// Queues a message that belongs to no request.
    pub(super) fn notify(&self, line: Vec<u8>) {
        let mut notices = self.notices();
        if notices.queue.len() < NOTICES {
            notices.queue.push_back(line);
        }
        let waker = notices.waker.take();
        drop(notices);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn notices(&self) -> MutexGuard<'_, Notices> {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// ```json
/// {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": "file:///notes.txt"}}
/// ```
fn told(change: &Change) -> Vec<u8> {
    match change {
        Change::Resource(uri) => notification(change.method(), Some(&serde_json::json!({ "uri": uri }))),
        _ => notification(change.method(), None),
    }
}
