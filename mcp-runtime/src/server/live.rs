//! The part of a server that can change while it runs.
//!
//! ```text
//! change ─→ entries (behind a mutex that calls never take) ─→ a new catalog ─→ the next requests
//! ```
//!
//! Whoever is told of a change, and whatever a change lets go of, is the author's code, and may come back with another
//! change: both happen after the mutex is given back.

use std::any::TypeId;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use arc_swap::ArcSwap;

use super::Catalog;
use super::catalog::Offer;
use super::core::Identity;
use super::pages::Press;
use crate::changes::{Change, Hub};
use crate::registry::{Entries, Entry, Faults, Kinds, Selection, build};

/// What a server offers, and who is told when that changes.
#[derive(Default)]
pub(crate) struct Live {
    catalog: ArcSwap<Catalog>,
    state: Mutex<State>,
    hub: OnceLock<Arc<Hub>>,
}

#[derive(Default)]
struct State {
    entries: Entries,
    /// What was enabled and disabled before the start, in order: it waits for the linked entries.
    before_start: Vec<(String, bool)>,
    is_handle_taken: bool,
    /// The kinds that were served once: they stay so, be they empty.
    served: Kinds,
    running: Option<(Press, Arc<Identity>)>,
}

impl State {
    /// Whether clients will see a linked entry, before the server starts.
    fn is_enabled(&self, entry: &Entry) -> bool {
        let latest = self.before_start.iter().rev().find(|(name, _)| entry.is_called(name));
        latest.is_none_or(|(_, enabled)| *enabled)
    }

    /// Notes what the linked entries are to be once the server starts; says whether any of them changes by it.
    fn note(&mut self, name: &str, enabled: bool) -> bool {
        if self.running.is_some() {
            return false;
        }
        let changed = linked(name).any(|entry| self.is_enabled(entry) != enabled);
        self.before_start.push((name.to_owned(), enabled));
        changed
    }
}

/// The linked entries that `name` means.
fn linked(name: &str) -> impl Iterator<Item = &'static Entry> {
    inventory::iter::<Entry>.into_iter().filter(move |entry| entry.is_called(name))
}

impl Live {
    pub(super) fn catalog(&self) -> Arc<Catalog> {
        self.catalog.load_full()
    }

    /// Who is told of changes, once the server has started.
    pub(super) fn hub(&self) -> &Arc<Hub> {
        self.hub.get().expect("a core is made when the server starts")
    }

    /// Notes that the author can make changes at any time.
    pub(super) fn take_handle(&self) {
        self.lock().is_handle_taken = true;
    }

    /// Puts the linked entries beside those that were added before.
    pub(super) fn link(
        &self,
        linked: impl Iterator<Item = Entry>,
        selection: &Selection,
        states: &HashSet<TypeId>,
        faults: &mut Faults,
    ) {
        let mut state = self.lock();
        let added = std::mem::take(&mut state.entries);
        state.entries = build(linked, selection, states, added, faults);
        for (name, enabled) in std::mem::take(&mut state.before_start) {
            state.entries.set_linked(&name, enabled);
        }
    }

    /// Makes the first catalog.
    pub(super) fn start(&self, press: Press, identity: Arc<Identity>, hub: Arc<Hub>) {
        let _ = self.hub.set(hub);
        let mut state = self.lock();
        state.running = Some((press, identity));
        self.renew(&mut state, Kinds::ALL);
    }

    /// Changes the entries. `edit` says what it gives back, what it takes away, and which lists changed by it.
    pub(super) fn change<T, R>(&self, edit: impl FnOnce(&mut Entries) -> (T, R, Kinds)) -> T {
        let mut state = self.lock();
        let (given, removed, changed) = edit(&mut state.entries);
        let before = self.renew(&mut state, changed);
        drop(state);
        drop((before, removed));
        self.tell(changed);
        given
    }

    /// Enables or disables what `name` means; says whether anything changed.
    pub(super) fn set(&self, name: &str, enabled: bool) -> bool {
        let linked = self.lock().note(name, enabled);
        let changed = self.change(|entries| {
            let changed = entries.set(name, enabled);
            (changed, (), changed)
        });
        linked || changed != Kinds::NONE
    }

    /// Whether clients see an entry that `name` means.
    pub(super) fn is_enabled(&self, name: &str) -> bool {
        let state = self.lock();
        state.entries.has_enabled(name)
            || state.running.is_none() && linked(name).any(|entry| state.is_enabled(entry))
    }

    /// Tells the clients of every instance.
    pub(super) fn publish(&self, change: Change) {
        if let Some(hub) = self.hub.get() {
            hub.publish(change);
        }
    }

    /// Makes a new catalog, if anything changed that clients see, and the server runs; gives the one before.
    fn renew(&self, state: &mut State, changed: Kinds) -> Option<Arc<Catalog>> {
        if changed == Kinds::NONE {
            return None;
        }
        let (press, identity) = state.running.as_ref()?;
        let may_change = state.is_handle_taken || state.entries.takes_context();
        let asked = if state.is_handle_taken { Kinds::ALL } else { Kinds::NONE };
        state.served = state.served.or(state.entries.kinds()).or(asked);
        let may_notify = may_change || self.hub.get().is_some_and(|hub| hub.has_bus());
        let offer = Offer { served: state.served, may_change, may_notify };
        let before = self.catalog();
        let next = Catalog::new(state.entries.registry(), &offer, press, identity, &before, changed);
        Some(self.catalog.swap(Arc::new(next)))
    }

    fn tell(&self, changed: Kinds) {
        let lists = [
            (changed.tools, Change::Tools),
            (changed.prompts, Change::Prompts),
            (changed.resources, Change::Resources),
        ];
        for (_, change) in lists.into_iter().filter(|(changed, _)| *changed) {
            self.publish(change);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
