//! Where a failure is, found out only once there is one.
//!
//! While an error passes outward, every access notes at which of its items or entries it was: innermost first, as
//! positions. A key needs no remembering for that, whatever its type; its position finds it again in the JSON.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::schema::path::{Path, Segment};

/// The positions that lead to the value that failed, innermost first. Without a failure it owns no memory.
///
/// What serde buffers (untagged and internally tagged enums, flattened structs) has no access of ours inside it: there
/// the trace ends at the buffered value.
pub(super) struct Trace(RefCell<Vec<usize>>);

impl Trace {
    /// A trace that leads nowhere.
    pub(super) const fn new() -> Self {
        Self(RefCell::new(Vec::new()))
    }

    /// Notes how reading the item or entry at `position` ended.
    #[inline]
    pub(super) fn note(&self, position: usize, failed: bool) {
        if failed {
            self.push(position);
        } else if !self.0.borrow().is_empty() {
            // The type thought nothing of a failure inside it.
            self.forget();
        }
    }

    #[cold]
    fn push(&self, position: usize) {
        self.0.borrow_mut().push(position);
    }

    /// Forgets what was noted, because it does not belong to a failure of the value.
    #[cold]
    pub(super) fn forget(&self) {
        self.0.borrow_mut().clear();
    }

    /// The path that the trace takes through `json`, as far as there is one.
    #[cold]
    pub(super) fn path(&self, json: &str) -> Path {
        let mut path = Path::default();
        let steps = self.0.borrow();
        let walk = Walk { segment: None, steps: &steps, path: &mut path };
        // It ends with an error as soon as there is nothing more to find, and what was found remains.
        let _ = walk.deserialize(&mut serde_json::Deserializer::from_str(json));
        path
    }
}

/// Follows a trace through JSON, and puts its steps into words.
struct Walk<'a> {
    /// The step that led here.
    segment: Option<Segment>,
    /// The steps that are left, the next one last.
    steps: &'a [usize],
    path: &'a mut Path,
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(mut self, deserializer: D) -> Result<(), D::Error> {
        self.path.0.extend(self.segment.take());
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array or an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Some((position, steps)) = self.steps.split_last() else { return Ok(()) };
        for _ in 0..*position {
            items.next_element::<IgnoredAny>()?;
        }
        let segment = Some(Segment::Index(*position));
        items.next_element_seed(Walk { segment, steps, path: self.path })?;
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let Some((position, steps)) = self.steps.split_last() else { return Ok(()) };
        for _ in 0..*position {
            entries.next_entry::<IgnoredAny, IgnoredAny>()?;
        }
        let Some(key) = entries.next_key()? else { return Ok(()) };
        entries.next_value_seed(Walk { segment: Some(Segment::Key(key)), steps, path: self.path })
    }
}

#[cfg(test)]
mod tests;
