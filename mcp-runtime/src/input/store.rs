//! Using each seal once only, for flows in which a repetition must not count.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use crate::protocol::Error;
use crate::registry::BoxFuture;

/// Remembers which seals were brought back.
///
/// "Servers for which a given `requestState` must be consumed at most once (e.g., one-time redemptions) MUST
/// enforce that invariant server-side." (basic/patterns/mrtr)
pub trait SealStore: Send + Sync + 'static {
    /// Notes that this seal was brought back; `false` if it had been before. It may be forgotten after
    /// `expires`, when it no longer opens.
    fn redeem<'a>(&'a self, id: &'a str, expires: SystemTime) -> BoxFuture<'a, Result<bool, Error>>;
}

/// A [`SealStore`] of one process.
#[derive(Debug, Default)]
pub struct MemorySealStore {
    redeemed: Mutex<BTreeMap<String, SystemTime>>,
}

impl MemorySealStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }
}

/// How many seals are kept before those that have expired are looked for.
const SWEEP_AT: usize = 1024;

impl SealStore for MemorySealStore {
    fn redeem<'a>(&'a self, id: &'a str, expires: SystemTime) -> BoxFuture<'a, Result<bool, Error>> {
        let mut redeemed = self.redeemed.lock().unwrap_or_else(PoisonError::into_inner);
        if redeemed.len() >= SWEEP_AT {
            // A minute more, for a clock that is set back.
            let now = SystemTime::now() - Duration::from_secs(60);
            redeemed.retain(|_, expires| *expires > now);
        }
        let is_first = redeemed.insert(id.to_owned(), expires).is_none();
        Box::pin(std::future::ready(Ok(is_first)))
    }
}
