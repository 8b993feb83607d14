//! Who of this instance wants to be told of what.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::task::Waker;

use super::subscription::{Interests, Shared};
use super::{Bus, Change, Inbox, Subscription};
use crate::template::normal_spelling;
use crate::watch::{Guard, Watchers};

/// The subscriptions of one server in this process.
#[derive(Default)]
pub(crate) struct Hub {
    bus: Option<Box<dyn Bus>>,
    table: RwLock<Table>,
    last_key: AtomicU64,
    watchers: OnceLock<Arc<Watchers>>,
}

/// Tells subscriptions apart.
pub(super) type Key = u64;

#[derive(Default)]
pub(super) struct Table {
    /// The server is going to stop: who subscribes now is told so at once.
    pub(super) is_closed: bool,
    pub(super) all: HashMap<Key, Arc<Shared>>,
    /// How many of them count against the limit.
    pub(super) limited: usize,
    /// Who watches an address, by its normal spelling.
    pub(super) by_uri: HashMap<Arc<str>, HashMap<Key, Arc<Shared>>>,
}

impl Hub {
    /// Connects to the bus, if there is one.
    pub(crate) fn new(bus: Option<Box<dyn Bus>>) -> Arc<Self> {
        let hub = Arc::new(Self { bus, ..Self::default() });
        if let Some(bus) = &hub.bus {
            bus.connect(Inbox(Arc::downgrade(&hub)));
        }
        hub
    }

    /// From here on, resources are watched while somebody is subscribed to them.
    pub(crate) fn watch_with(&self, watchers: Arc<Watchers>) {
        let _ = self.watchers.set(watchers);
    }

    pub(super) fn guard(&self, uri: &str) -> Option<Guard> {
        self.watchers.get()?.guard(uri)
    }

    /// Whether changes come from other instances, too.
    pub(crate) fn has_bus(&self) -> bool {
        self.bus.is_some()
    }

    /// Tells the clients of every instance.
    pub(crate) fn publish(&self, change: Change) {
        match &self.bus {
            Some(bus) => bus.publish(change),
            None => self.deliver(&change),
        }
    }

    /// A subscription to what `interests` names; nothing is missed from here on.
    pub(crate) fn subscribe(self: &Arc<Self>, interests: &Interests) -> Subscription {
        self.enter(interests, None).expect("there is no limit")
    }

    /// The same, unless there are as many already that were made so.
    pub(crate) fn subscribe_within(
        self: &Arc<Self>,
        limit: usize,
        interests: &Interests,
    ) -> Option<Subscription> {
        self.enter(interests, Some(limit))
    }

    fn enter(self: &Arc<Self>, interests: &Interests, limit: Option<usize>) -> Option<Subscription> {
        let key = self.last_key.fetch_add(1, Ordering::Relaxed) + 1;
        let shared = Arc::new(Shared::new(interests));
        {
            let mut table = self.write();
            if let Some(limit) = limit {
                if table.limited >= limit {
                    return None;
                }
                table.limited += 1;
            }
            table.all.insert(key, Arc::clone(&shared));
            if table.is_closed {
                shared.close();
            }
        }
        let subscription = Subscription { hub: Arc::clone(self), key, is_limited: limit.is_some(), shared };
        interests.uris.iter().for_each(|uri| {
            subscription.watch(uri);
        });
        Some(subscription)
    }

    /// How many subscriptions there are.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.read().all.len()
    }

    /// Ends every subscription, now and later: the server is going to stop.
    pub(crate) fn close(&self) {
        let wakers: Vec<Waker> = {
            let mut table = self.write();
            table.is_closed = true;
            table.all.values().filter_map(|shared| shared.close()).collect()
        };
        wakers.into_iter().for_each(Waker::wake);
    }

    pub(super) fn deliver(&self, change: &Change) {
        // Woken after the lock is given back: whoever is woken may come here again.
        let wakers: Vec<Waker> = {
            let table = self.read();
            match change {
                Change::Resource(uri) => {
                    let uri = &*normal_spelling(uri);
                    let watching = table.by_uri.get(uri).into_iter().flat_map(HashMap::values);
                    watching.filter_map(|shared| shared.mark_resource(uri)).collect()
                }
                list => table.all.values().filter_map(|shared| shared.mark_list(list)).collect(),
            }
        };
        wakers.into_iter().for_each(Waker::wake);
    }

    pub(super) fn deliver_all(&self) {
        let wakers: Vec<Waker> = {
            let table = self.read();
            table.all.values().filter_map(|shared| shared.mark_everything()).collect()
        };
        wakers.into_iter().for_each(Waker::wake);
    }

    fn read(&self) -> RwLockReadGuard<'_, Table> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Table> {
        self.table.write().unwrap_or_else(PoisonError::into_inner)
    }
}
