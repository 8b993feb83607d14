//! Strings that live as long as one call.
//!
//! A JSON string with an escape in it (`"a\nb"`) exists nowhere in the request in the form that the function wants to
//! see. The arena keeps its unescaped copy, so that a parameter can be a `&str` whatever the client sent.

use std::cell::Cell;
use std::sync::OnceLock;

/// The place for one more string: empty, or filled once and for good.
type Slot = OnceLock<Box<Node>>;

/// One stored string and the place of its successor.
struct Node {
    text: Box<str>,
    next: Slot,
}

/// An append-only store that lends out its strings for as long as it lives itself.
///
/// It is a linked list of cells that are written once, which makes it `Sync` without a lock of its own: nothing moves,
/// and nothing is taken back before the drop. An empty arena owns no memory.
#[derive(Default)]
pub(crate) struct Arena {
    head: Slot,
}

impl Arena {
    /// An arena without strings; allocates nothing.
    pub(crate) const fn new() -> Self {
        Self { head: Slot::new() }
    }

    /// Whether nothing has been stored.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.head.get().is_none()
    }

    /// Where to append from. One cursor serves one sequence of appends; any number of them can be in use.
    pub(crate) const fn cursor(&self) -> Cursor<'_> {
        Cursor { tail: Cell::new(&self.head) }
    }

    /// Stores one string. For several, a [`Cursor`] saves walking the list each time.
    pub(crate) fn store(&self, text: impl Into<Box<str>>) -> &str {
        self.cursor().store(text)
    }
}

impl Drop for Arena {
    /// Unlinks node by node: the derived drop would recurse once for each string.
    fn drop(&mut self) {
        let mut next = self.head.take();
        while let Some(mut node) = next {
            next = node.next.take();
        }
    }
}

/// The end of an arena's list as last seen, which makes appending `n` strings take `n` steps.
pub(crate) struct Cursor<'a> {
    tail: Cell<&'a Slot>,
}

impl<'a> Cursor<'a> {
    /// Stores a string and lends it for the arena's life.
    pub(crate) fn store(&self, text: impl Into<Box<str>>) -> &'a str {
        let mut text = Some(text.into());
        loop {
            // Another cursor may have filled this slot; the closure then does not run, and the walk goes on behind it.
            let node = self
                .tail
                .get()
                .get_or_init(|| Box::new(Node { text: text.take().unwrap_or_default(), next: Slot::new() }));
            self.tail.set(&node.next);
            if text.is_none() {
                return &node.text;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Arena, Slot};

    fn texts(arena: &Arena) -> Vec<&str> {
        let mut all = Vec::new();
        let mut slot: &Slot = &arena.head;
        while let Some(node) = slot.get() {
            all.push(&*node.text);
            slot = &node.next;
        }
        all
    }

    #[test]
    fn lends_every_string_while_more_are_stored() {
        let arena = Arena::new();
        let cursor = arena.cursor();
        let one = cursor.store("one");
        let two = cursor.store(String::from("two"));
        let empty = cursor.store("");
        assert_eq!((one, two, empty), ("one", "two", ""));
        assert_eq!(texts(&arena), ["one", "two", ""]);
    }

    #[test]
    fn an_empty_arena_is_one_unfilled_slot() {
        assert!(Arena::new().is_empty());
        assert!(Arena::default().is_empty());
    }

    #[test]
    fn a_cursor_that_fell_behind_catches_up() {
        let arena = Arena::new();
        let (early, late) = (arena.cursor(), arena.cursor());
        early.store("a");
        early.store("b");
        assert_eq!(late.store("c"), "c");
        assert_eq!(arena.store("d"), "d");
        assert_eq!(texts(&arena), ["a", "b", "c", "d"]);
    }

    #[test]
    fn threads_share_an_arena() {
        let arena = Arena::new();
        std::thread::scope(|scope| {
            for worker in 0..4 {
                let arena = &arena;
                scope.spawn(move || {
                    let cursor = arena.cursor();
                    for i in 0..100 {
                        let text = format!("{worker}:{i}");
                        assert_eq!(cursor.store(text.as_str()), text);
                    }
                });
            }
        });
        let mut stored = texts(&arena);
        stored.sort_unstable();
        stored.dedup();
        assert_eq!(stored.len(), 400);
    }

    #[test]
    fn dropping_a_hundred_thousand_strings_does_not_recurse() {
        let arena = Arena::new();
        let cursor = arena.cursor();
        for _ in 0..100_000 {
            cursor.store("x");
        }
        assert_eq!(texts(&arena).len(), 100_000);
        drop(arena);
    }
}
