//! The transport from outside: lines in, lines out, named after the pages of the specification.

mod cancellation;
mod fixture;
mod framing;
mod malformed;
mod pressure;
#[cfg(unix)]
mod process;
mod requests;
mod shutdown;
mod subscriptions;
