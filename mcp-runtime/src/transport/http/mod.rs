//! Streamable HTTP (basic/transports/streamable-http).
//!
//! A POST is one message. Its answer is one JSON object, or, from the first notification or a few silent
//! seconds on, a stream of server-sent events; either way the request runs inside the future that the HTTP
//! server polls for it, so that a client that goes away cancels it by nothing more than a drop.
//!
//! What clients of older revisions send is told apart when it is read, and goes to [`crate::legacy::http`].

mod accept;
mod access;
mod authority;
mod body;
mod cors;
mod flight;
mod headers;
mod linger;
mod listen;
mod mirror;
mod options;
mod params;
mod refusal;
mod request;
mod serve;
mod service;
mod stream;
#[cfg(test)]
pub(crate) mod tests;

pub use body::HttpBody;
pub use service::HttpService;

pub(crate) use accept::Accepts;
pub(crate) use body::{events, json};
pub(crate) use flight::{InFlight, Permit};
pub(crate) use mirror::{shortened, text};
pub(crate) use options::HttpOptions;
pub(crate) use refusal::Refusal;
pub(crate) use serve::serve;
pub(crate) use service::{SILENCE, accepted, is_at};
pub(crate) use stream::{COMMENT, KeepAlive, event};
