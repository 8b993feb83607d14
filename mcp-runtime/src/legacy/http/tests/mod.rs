//! Clients of older revisions as they meet the transport. Every wait has an end.

mod asking;
mod batches;
mod calls;
mod eras;
mod fixture;
mod polling;
mod resumption;
mod sessions;
mod shutdown;
mod sse;
mod standalone;
mod statuses;
