//! The entries of one kind, in the order of their list.

use std::cmp::Ordering;
use std::sync::Arc;

use super::{Faults, Plan, Prompt, Resource, ResourceTemplate, Tool};
use crate::template::normal_spelling;

/// What the kinds of entries have in common.
pub(super) trait Listed {
    fn plan(&self) -> &Plan;

    /// The order of the list: "Servers SHOULD return tools in a deterministic order".
    fn order(&self, other: &Self) -> Ordering;

    /// Whether this is the entry that has `name`: what no other one may have.
    fn is_named(&self, name: &str) -> bool;

    /// Whether `disable` and `enable` mean this entry by `name`.
    fn is_called(&self, name: &str) -> bool {
        self.plan().about.is_called(name)
    }
}

impl Listed for Tool {
    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn order(&self, other: &Self) -> Ordering {
        self.plan.about.name.cmp(&other.plan.about.name)
    }

    fn is_named(&self, name: &str) -> bool {
        self.plan.about.name == name
    }
}

impl Listed for Prompt {
    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn order(&self, other: &Self) -> Ordering {
        self.plan.about.name.cmp(&other.plan.about.name)
    }

    fn is_named(&self, name: &str) -> bool {
        self.plan.about.name == name
    }
}

impl Listed for Resource {
    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn order(&self, other: &Self) -> Ordering {
        self.facts.uri.cmp(&other.facts.uri)
    }

    fn is_named(&self, name: &str) -> bool {
        self.spelling() == normal_spelling(name)
    }

    fn is_called(&self, name: &str) -> bool {
        self.plan.about.is_called(name) || self.is_named(name)
    }
}

impl Listed for ResourceTemplate {
    fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The most specific first.
    fn order(&self, other: &Self) -> Ordering {
        let specificity = other.template.specificity().cmp(&self.template.specificity());
        specificity.then_with(|| self.facts.uri.cmp(&other.facts.uri))
    }

    fn is_named(&self, name: &str) -> bool {
        self.facts.uri == name
    }

    fn is_called(&self, name: &str) -> bool {
        self.plan.about.is_called(name) || self.is_named(name)
    }
}

/// The entries of one kind, those that are disabled among them.
pub(crate) struct Slots<T>(Vec<Slot<T>>);

struct Slot<T> {
    entry: Arc<T>,
    enabled: bool,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

#[allow(private_bounds, reason = "what an entry has to say is nobody else's business")]
impl<T: Listed> Slots<T> {
    pub(super) fn iter(&self) -> impl Iterator<Item = &Arc<T>> {
        self.0.iter().map(|slot| &slot.entry)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those that clients see.
    pub(super) fn enabled(&self) -> Vec<Arc<T>> {
        self.0.iter().filter(|slot| slot.enabled).map(|slot| Arc::clone(&slot.entry)).collect()
    }

    /// Puts an entry at the end, to be sorted in later.
    pub(super) fn gather(&mut self, entry: T) {
        self.0.push(Slot { entry: Arc::new(entry), enabled: true });
    }

    pub(super) fn sort(&mut self) {
        self.0.sort_by(|a, b| a.entry.order(&b.entry));
    }

    /// Puts an entry in its place.
    pub(super) fn insert(&mut self, entry: Arc<T>, enabled: bool) {
        let position = self.0.partition_point(|slot| slot.entry.order(&entry).is_lt());
        self.0.insert(position, Slot { entry, enabled });
    }

    /// Takes an entry away that was added at run time; says whether clients saw it.
    pub(super) fn remove(&mut self, name: &str) -> Option<(Arc<T>, bool)> {
        let is_meant = |slot: &Slot<T>| slot.entry.plan().is_added() && slot.entry.is_named(name);
        let slot = self.0.remove(self.0.iter().position(is_meant)?);
        Some((slot.entry, slot.enabled))
    }

    /// Enables or disables what `name` means, among the entries that `among` holds for; says whether any changed.
    pub(super) fn set(&mut self, name: &str, enabled: bool, among: impl Fn(&Plan) -> bool) -> bool {
        let mut changed = false;
        for slot in &mut self.0 {
            if slot.enabled != enabled && slot.entry.is_called(name) && among(slot.entry.plan()) {
                slot.enabled = enabled;
                changed = true;
            }
        }
        changed
    }

    /// Whether clients see an entry that `name` means.
    pub(super) fn has_enabled(&self, name: &str) -> bool {
        self.0.iter().any(|slot| slot.enabled && slot.entry.is_called(name))
    }

    /// The entry that has this name, and whether it is enabled.
    pub(super) fn named(&self, name: &str) -> Option<(&Arc<T>, bool)> {
        let slot = self.0.iter().find(|slot| slot.entry.is_named(name))?;
        Some((&slot.entry, slot.enabled))
    }

    /// Notes every two entries of one name, once they are sorted.
    pub(super) fn reject_duplicates<K: std::hash::Hash + Eq + std::fmt::Display>(
        &self,
        name: impl Fn(&T) -> K,
        what: &str,
        mend: &str,
        faults: &mut Faults,
    ) {
        let mut first = std::collections::HashMap::new();
        for entry in self.iter() {
            let key = name(entry);
            let place = entry.plan().about.place;
            match first.get(&key) {
                Some(other) => faults.note(format!("{what} `{key}`: {other} and {place}; {mend}")),
                None => drop(first.insert(key, place)),
            }
        }
    }
}
