//! The standard streams where they cannot be guarded: what a handler prints reaches the client.

use std::io;

/// The standard streams, as they are.
pub(super) struct Streams;

impl Streams {
    #[allow(clippy::unnecessary_wraps, reason = "guarded streams can fail")]
    pub(super) fn take() -> io::Result<Self> {
        Ok(Self)
    }

    #[allow(clippy::unnecessary_wraps, clippy::unused_self, reason = "as the guarded streams")]
    pub(super) fn input(&self) -> io::Result<io::Stdin> {
        Ok(io::stdin())
    }

    #[allow(clippy::unnecessary_wraps, clippy::unused_self, reason = "as the guarded streams")]
    pub(super) fn output(&self) -> io::Result<io::Stdout> {
        Ok(io::stdout())
    }

    #[allow(clippy::unused_self, reason = "as the guarded streams")]
    pub(super) fn keep(self) {}
}
