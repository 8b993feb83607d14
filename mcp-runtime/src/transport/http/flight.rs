//! How many requests are being worked on.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::refusal::Refusal;

/// Counts requests in flight, up to a limit.
#[derive(Clone)]
pub(crate) struct InFlight {
    count: Arc<AtomicUsize>,
    limit: usize,
}

/// One request in flight, until it is dropped.
pub(crate) struct Permit(Arc<AtomicUsize>);

impl InFlight {
    pub(crate) fn new(limit: usize) -> Self {
        Self { count: Arc::default(), limit }
    }

    pub(crate) fn enter(&self) -> Result<Permit, Refusal> {
        let before = self.count.fetch_add(1, Ordering::Relaxed);
        let permit = Permit(Arc::clone(&self.count));
        if before < self.limit { Ok(permit) } else { Err(Refusal::overloaded(self.limit)) }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
