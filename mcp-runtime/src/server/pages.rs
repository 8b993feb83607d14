//! Lists, serialized once until they change, page by page.

use std::sync::Arc;

use crate::dispatch::list::Kind;
use crate::output::write;
use crate::protocol::Cache;
use crate::seal::{KeyRing, Purpose};

/// What pages are made with.
pub(crate) struct Press {
    pub(crate) page_size: usize,
    pub(crate) cache: Cache,
    /// They seal the cursors.
    pub(crate) keys: Arc<KeyRing>,
}

/// The pages of one list, each the members of its result.
#[derive(Default)]
pub(crate) struct Pages {
    page_size: usize,
    pages: Vec<Vec<u8>>,
}

impl Pages {
    /// The cache hints of a list that is computed for each request.
    pub(crate) const UNCACHED: &'static [u8] = br#""ttlMs":0,"cacheScope":"private""#;

    pub(super) fn new(kind: Kind, items: &[&[u8]], press: &Press) -> Self {
        let Press { page_size, cache, ref keys } = *press;
        let starts = (0..items.len().max(1)).step_by(page_size);
        let page = |start: usize| {
            let end = items.len().min(start + page_size);
            let mut page = format!("\"{}\":[", kind.member()).into_bytes();
            page.extend_from_slice(&items[start..end].join(&b','));
            page.push(b']');
            if end < items.len() {
                page.extend_from_slice(b",\"nextCursor\":");
                write(&mut page, &Self::cursor(keys, kind, end));
            }
            page.push(b',');
            page.extend_from_slice(Self::cache_members(cache).as_bytes());
            page
        };
        Self { page_size, pages: starts.map(page).collect() }
    }

    /// Whether one page holds the whole list.
    pub(crate) fn is_single(&self) -> bool {
        self.pages.len() == 1
    }

    /// The page whose first item has this number.
    pub(crate) fn starting_at(&self, offset: usize) -> Option<&[u8]> {
        if !offset.is_multiple_of(self.page_size) {
            return None;
        }
        self.pages.get(offset / self.page_size).map(Vec::as_slice)
    }

    /// `"ttlMs":60000,"cacheScope":"public"` (server/utilities/caching).
    pub(super) fn cache_members(cache: Cache) -> String {
        format!("\"ttlMs\":{},\"cacheScope\":\"{}\"", cache.ttl_ms(), cache.scope())
    }

    /// An opaque cursor for the item with this number.
    pub(super) fn cursor(keys: &KeyRing, kind: Kind, offset: usize) -> String {
        keys.seal(Purpose::Cursor, b"", format!("{} {offset}", kind.member()).as_bytes())
    }

    pub(super) fn open_cursor(keys: &KeyRing, kind: Kind, cursor: &str) -> Option<usize> {
        let plain = String::from_utf8(keys.open(Purpose::Cursor, b"", cursor)?).ok()?;
        plain.strip_prefix(kind.member())?.strip_prefix(' ')?.parse().ok()
    }
}
