//! Clients of revisions before 2026-07-28, on a pair of streams.

mod asking;
mod batches;
mod handshake;
mod requests;
mod wire;
