//! One client's view of what changes: a flag for each thing that it wants to be told of.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context as Task, Poll, Waker};
use std::time::Duration;

use super::hub::Key;
use super::{Change, Hub};
use crate::registry::BoxFuture;
use crate::template::normal_spelling;
use crate::watch::Guard;

/// What a client wants to be told of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Interests {
    pub(crate) tools: bool,
    pub(crate) prompts: bool,
    pub(crate) resources: bool,
    /// The addresses of resources, as the client spells them.
    pub(crate) uris: Vec<String>,
}

/// The longest that a watching function is waited for.
const START: Duration = Duration::from_secs(2);

/// Waits until what watches the resources of a subscription has begun, so that the client misses nothing from then on.
pub(crate) struct Started(Option<BoxFuture<'static, ()>>);

impl Started {
    pub(crate) fn poll(&mut self, task: &mut Task<'_>) -> Poll<()> {
        self.0.as_mut().map_or(Poll::Ready(()), |waiting| waiting.as_mut().poll(task))
    }
}

/// One client's subscription, until it is dropped.
pub(crate) struct Subscription {
    pub(super) hub: Arc<Hub>,
    pub(super) key: Key,
    pub(super) is_limited: bool,
    pub(super) shared: Arc<Shared>,
}

/// The flags, where the hub sets them and the subscription takes them.
pub(super) struct Shared {
    state: Mutex<State>,
}

struct State {
    lists: [List; 3],
    /// By normal spelling.
    watched: HashMap<Arc<str>, Watched>,
    /// The addresses whose flag is set, the earliest first.
    pending: VecDeque<Arc<str>>,
    is_closed: bool,
    waker: Option<Waker>,
}

#[derive(Clone, Copy, Default)]
struct List {
    wanted: bool,
    pending: bool,
}

struct Watched {
    /// The client's own spelling, where it is another one.
    spelling: Option<Arc<str>>,
    pending: bool,
    /// Keeps the resource watched.
    guard: Option<Box<Guard>>,
}

/// The lists, in the order of [`State::lists`].
const LISTS: [Change; 3] = [Change::Tools, Change::Prompts, Change::Resources];

impl Shared {
    pub(super) fn new(interests: &Interests) -> Self {
        let wanted = [interests.tools, interests.prompts, interests.resources];
        let lists = wanted.map(|wanted| List { wanted, pending: false });
        let state =
            State { lists, watched: HashMap::new(), pending: VecDeque::new(), is_closed: false, waker: None };
        Self { state: Mutex::new(state) }
    }

    /// Sets the flag of a list; gives whom to wake.
    pub(super) fn mark_list(&self, list: &Change) -> Option<Waker> {
        let index = LISTS.iter().position(|known| known == list)?;
        let mut state = self.lock();
        let list = &mut state.lists[index];
        if !list.wanted || std::mem::replace(&mut list.pending, true) {
            return None;
        }
        state.waker.take()
    }

    /// Sets the flag of a resource; gives whom to wake.
    pub(super) fn mark_resource(&self, uri: &str) -> Option<Waker> {
        let mut state = self.lock();
        let State { watched, pending, waker, .. } = &mut *state;
        let (uri, _) = watched.get_key_value(uri)?;
        let uri = Arc::clone(uri);
        let entry = watched.get_mut(&uri)?;
        if std::mem::replace(&mut entry.pending, true) {
            return None;
        }
        pending.push_back(uri);
        waker.take()
    }

    /// Sets every flag; gives whom to wake.
    pub(super) fn mark_everything(&self) -> Option<Waker> {
        let mut state = self.lock();
        let State { lists, watched, pending, waker, .. } = &mut *state;
        for list in lists {
            list.pending = list.wanted;
        }
        for (uri, entry) in watched {
            if !std::mem::replace(&mut entry.pending, true) {
                pending.push_back(Arc::clone(uri));
            }
        }
        waker.take()
    }

    pub(super) fn close(&self) -> Option<Waker> {
        let mut state = self.lock();
        state.is_closed = true;
        state.waker.take()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Subscription {
    /// Watches one more address; says whether it was not watched before.
    pub(crate) fn watch(&self, uri: &str) -> bool {
        let normal = normal_spelling(uri);
        // What runs the author's code comes before the locks.
        let guard = self.hub.guard(uri).map(Box::new);
        let mut table = self.hub.write();
        // All who watch an address share its text.
        let normal: Arc<str> = match table.by_uri.get_key_value(&*normal) {
            Some((known, _)) => Arc::clone(known),
            None => normal.as_ref().into(),
        };
        table.by_uri.entry(Arc::clone(&normal)).or_default().insert(self.key, Arc::clone(&self.shared));
        let spelling = (*uri != *normal).then(|| uri.into());
        let watched = &mut self.shared.lock().watched;
        let is_new = !watched.contains_key(&normal);
        // One that is flagged already stays so.
        watched.entry(normal).or_insert(Watched { spelling, pending: false, guard });
        is_new
    }

    /// Watches one address less; says whether it was watched.
    pub(crate) fn unwatch(&self, uri: &str) -> bool {
        let normal = &*normal_spelling(uri);
        let mut table = self.hub.write();
        table.forget(normal, self.key);
        let mut state = self.shared.lock();
        state.pending.retain(|pending| **pending != *normal);
        state.watched.remove(normal).is_some()
    }

    /// When whatever tells of changes to the addresses watches for them.
    pub(crate) fn started(&self) -> Started {
        let state = self.shared.lock();
        let waits: Vec<_> =
            state.watched.values().filter_map(|watched| Some(watched.guard.as_ref()?.started())).collect();
        if waits.is_empty() {
            return Started(None);
        }
        let all = async move {
            for wait in waits {
                wait.await;
            }
        };
        Started(Some(Box::pin(async move { drop(tokio::time::timeout(START, all).await) })))
    }

    /// How many addresses are watched.
    pub(crate) fn watched(&self) -> usize {
        self.shared.lock().watched.len()
    }

    /// The next thing to look at again, in the client's own spelling; nothing once the server ends the subscription.
    ///
    /// A flag that is taken is set again by the next change, so the last change is never lost.
    pub(crate) fn poll_change(&self, task: &mut Task<'_>) -> Poll<Option<Change>> {
        let mut state = self.shared.lock();
        if let Some(change) = state.take() {
            return Poll::Ready(Some(change));
        }
        if state.is_closed {
            return Poll::Ready(None);
        }
        match &mut state.waker {
            Some(waker) => waker.clone_from(task.waker()),
            None => state.waker = Some(task.waker().clone()),
        }
        Poll::Pending
    }
}

impl State {
    fn take(&mut self) -> Option<Change> {
        if let Some(index) = self.lists.iter().position(|list| list.pending) {
            self.lists[index].pending = false;
            return Some(LISTS[index].clone());
        }
        let uri = self.pending.pop_front()?;
        let entry = self.watched.get_mut(&uri)?;
        entry.pending = false;
        Some(Change::Resource(entry.spelling.clone().unwrap_or(uri)))
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut table = self.hub.write();
        table.all.remove(&self.key);
        table.limited -= usize::from(self.is_limited);
        let watched = std::mem::take(&mut self.shared.lock().watched);
        for uri in watched.keys() {
            table.forget(uri, self.key);
        }
    }
}

impl super::hub::Table {
    fn forget(&mut self, uri: &str, key: Key) {
        if let Some(watching) = self.by_uri.get_mut(uri) {
            watching.remove(&key);
            if watching.is_empty() {
                self.by_uri.remove(uri);
            }
        }
    }
}
