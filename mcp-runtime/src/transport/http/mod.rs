//! Streamable HTTP (basic/transports/streamable-http).
//!
//! A POST is one message. Its answer is one JSON object, or, from the first notification or a few silent
//! seconds on, a stream of server-sent events; either way the request runs inside the future that the HTTP
//! server polls for it, so that a client that goes away cancels it by nothing more than a drop.

mod accept;
mod access;
mod authority;
mod body;
mod cors;
mod flight;
mod headers;
mod linger;
mod mirror;
mod options;
mod params;
mod refusal;
mod request;
mod serve;
mod service;
mod stream;
#[cfg(test)]
mod tests;

pub use body::HttpBody;
pub use service::HttpService;

pub(crate) use options::HttpOptions;
pub(crate) use serve::serve;
