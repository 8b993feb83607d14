//! Several requests in one line, answered by several responses in one line (2025-03-26, basic/index, Batching).

use std::sync::{Arc, Mutex, PoisonError};

use super::outbound::Outbound;

/// One line of requests, until the last of them is answered or cancelled.
struct Batch {
    outbound: Arc<Outbound>,
    answers: Mutex<Vec<Vec<u8>>>,
}

/// The place of one request of a batch. The last one to be dropped sends what there is.
#[derive(Clone)]
pub(super) struct Seat(Arc<Batch>);

impl Seat {
    /// A batch without requests; the place is cloned for each of them.
    pub(super) fn new(outbound: &Arc<Outbound>) -> Self {
        Self(Arc::new(Batch { outbound: Arc::clone(outbound), answers: Mutex::default() }))
    }

    /// The answer of the request that has this place.
    pub(super) fn answer(self, bytes: Vec<u8>) {
        self.0.answers.lock().unwrap_or_else(PoisonError::into_inner).push(bytes);
    }
}

impl Drop for Batch {
    /// "MUST NOT return an empty array": notifications alone are not answered (JSON-RPC 2.0, section 6).
    fn drop(&mut self) {
        let answers = std::mem::take(self.answers.get_mut().unwrap_or_else(PoisonError::into_inner));
        if !answers.is_empty() {
            self.outbound.push([b"[".as_slice(), &answers.join(&b','), b"]"].concat());
        }
    }
}
