//! The streams that run, each for as long as somebody is subscribed.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::Poll;

use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::source::{States, Watching};
use crate::changes::{Change, Hub};
use crate::dispatch::Panic;
use crate::output::chain;
use crate::registry::Watch;
use crate::server::Core;

/// The watching functions of one server that run.
pub(crate) struct Watchers {
    core: Weak<Core>,
    /// By the address or template of the resource.
    running: Mutex<HashMap<Arc<str>, Running>>,
}

struct Running {
    subscriptions: usize,
    task: AbortHandle,
    started: watch::Receiver<bool>,
}

/// One subscription to one address of a resource that is watched: the function runs until the last of them is dropped.
pub(crate) struct Guard {
    watchers: Arc<Watchers>,
    key: Arc<str>,
    started: watch::Receiver<bool>,
}

impl Watchers {
    pub(crate) fn new(core: &Arc<Core>) -> Arc<Self> {
        Arc::new(Self { core: Arc::downgrade(core), running: Mutex::default() })
    }

    /// Starts the watching function of the resource at this address, if it has one that does not run.
    pub(crate) fn guard(self: &Arc<Self>, uri: &str) -> Option<Guard> {
        let core = self.core.upgrade()?;
        let catalog = core.catalog();
        let watch = catalog.registry().watch(uri)?;
        let mut all = self.lock();
        let known = all.get(watch.uri);
        // One that has ended is started again by whoever subscribes next.
        if known.is_none_or(|running| running.task.is_finished()) {
            let subscriptions = known.map_or(0, |ended| ended.subscriptions);
            let key: Arc<str> = watch.uri.into();
            let (task, started) = start(&core, &watch, Arc::clone(&key))?;
            all.insert(key, Running { subscriptions, task, started });
        }
        let key = Arc::clone(all.get_key_value(watch.uri)?.0);
        let running = all.get_mut(&key)?;
        running.subscriptions += 1;
        Some(Guard { watchers: Arc::clone(self), key, started: running.started.clone() })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Guard {
    /// Completes when the function has given its stream, or has ended without.
    pub(crate) fn started(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut started = self.started.clone();
        async move { drop(started.wait_for(|started| *started).await) }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let mut all = self.watchers.lock();
        let Some(running) = all.get_mut(&self.key) else { return };
        running.subscriptions -= 1;
        if running.subscriptions == 0 {
            running.task.abort();
            all.remove(&self.key);
        }
    }
}

fn start(core: &Core, watch: &Watch<'_>, uri: Arc<str>) -> Option<(AbortHandle, watch::Receiver<bool>)> {
    let runtime = tokio::runtime::Handle::try_current().ok()?;
    let watching = (watch.start)(&States(core));
    let name: Arc<str> = watch.name.into();
    let (starts, started) = watch::channel(false);
    let hub = Arc::clone(core.hub());
    let task = runtime.spawn(async move {
        let mut work = pin!(follow(&hub, &name, &uri, watching, &starts));
        std::future::poll_fn(|task| {
            Panic::caught(|| work.as_mut().poll(task)).unwrap_or_else(|panic| {
                panic.log(&name);
                Poll::Ready(())
            })
        })
        .await;
    });
    Some((task.abort_handle(), started))
}

/// Publishes what a watching function gives, to its end.
async fn follow(hub: &Hub, name: &str, uri: &Arc<str>, watching: Watching, starts: &watch::Sender<bool>) {
    let failed = |what: &str, error: &(dyn std::error::Error + 'static)| {
        tracing::error!("`{name}` {what}, until the next client subscribes: {}", chain(error));
    };
    let mut updates = match watching.0.await {
        Ok(updates) => updates,
        Err(error) => return failed("cannot be watched", &*error),
    };
    starts.send_replace(true);
    while let Some(update) = updates.next().await {
        match update {
            Ok(address) => hub.publish(Change::Resource(address.unwrap_or_else(|| Arc::clone(uri)))),
            Err(error) => return failed("is no longer watched", &*error),
        }
        // A stream that always has something would never let go of its thread.
        tokio::task::coop::consume_budget().await;
    }
    tracing::warn!("`{name}` is no longer watched, until the next client subscribes: its stream has ended");
}
