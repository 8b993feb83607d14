//! Newline-delimited JSON-RPC over the standard streams, or any other pair of byte streams
//! (basic/transports/stdio).
//!
//! ```text
//! bytes ─ framing ─→ lines ─ session ─→ answers and notifications ─ outbound ─→ one writer ─→ bytes
//!                               └─ a task for each request that waits ──┘
//! ```
//!
//! One task reads, sorts and answers what needs no waiting, without a lock held or a task made; a request that
//! waits becomes a task of its own, so that a handler that holds its thread does not stop the reading.
//!
//! A client that reads slowly is not given more work than it takes the answers of: see [`session`].

mod batch;
mod flight;
mod framing;
#[cfg(unix)]
mod guard;
#[cfg(not(unix))]
#[path = "unguarded.rs"]
mod guard;
mod legacy_side;
mod listen;
mod outbound;
mod serve;
mod session;
mod source;
mod standard;
mod write;

#[cfg(test)]
mod tests;

pub(crate) use serve::serve_io;
pub(crate) use standard::serve_standard;
