//! The transport as its clients meet it: over loopback sockets, in an axum router, and in the same process
//! where time has to stand still. Every wait has an end.

mod access;
pub(crate) mod client;
mod connections;
pub(crate) mod fixture;
mod headers;
mod mounted;
mod params;
mod status;
mod streams;
mod subscriptions;
