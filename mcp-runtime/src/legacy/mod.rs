//! Clients of the revisions with sessions: 2025-11-25, 2025-06-18, 2025-03-26 and 2024-11-05.
//!
//! One adapter at the edge: it owns the sessions, runs their requests through the dispatcher that everything runs
//! through, and says the answers as the session's revision has them.
//!
//! ```text
//! transport ─ request ─→ Session::begin ─→ Call ─ dispatch::Exchange ─→ handler
//!     ↑                      Call::poll_event ←─ answers, notifications, questions
//!     └─ response to a question ─→ Session::heed_response ─→ Call ─→ handler
//! ```

mod ask;
mod call;
mod calls;
mod handshake;
#[cfg(feature = "http")]
pub(crate) mod http;
mod own;
mod revision;
mod session;
mod translate;

pub(crate) use call::{Call, Event};
pub(crate) use handshake::{initialize, ping};
pub(crate) use revision::Revision;
pub(crate) use session::Session;
