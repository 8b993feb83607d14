//! Calls that go on when their client goes away.

use std::sync::atomic::Ordering;

use super::Context;

impl Context {
    /// Lets the call go on when its client goes away: from here on, what was begun is brought to its end.
    ///
    /// "The server MUST treat a client disconnect as cancellation of that request" (basic/patterns/cancellation,
    /// Transport-Specific Cancellation): nobody is answered, and by default the handler's future is dropped. A server
    /// "MAY ignore" it where "the request cannot be cancelled", which is what a handler says with this.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    ///
    /// # async fn reserve(_seat: &str) -> Result<String> { Ok(String::new()) }
    /// # async fn charge(_reservation: &str) -> Result<()> { Ok(()) }
    /// /// Book a seat.
    /// #[tool(timeout = "2m", heartbeat = "15s")]
    /// async fn book(seat: String, ctx: &Context) -> Result<String> {
    ///     let reservation = reserve(&seat).await?; // given up with its client
    ///     ctx.detach();
    ///     charge(&reservation).await?; // never left half-way by a lost connection
    ///     Ok(reservation)
    /// }
    /// ```
    ///
    /// | what happens | the call that was detached |
    /// | --- | --- |
    /// | an HTTP connection, or its stream of events, is closed | goes on without a client; its result is dropped |
    /// | a client on a pair of streams is gone, or its input ends | goes on for the [grace](crate::Server::shutdown_grace) |
    /// | `notifications/cancelled` | is cancelled |
    /// | its timeout is over | is cancelled |
    /// | the server stops | goes on for the grace, then it is cancelled |
    /// | a session over Streamable HTTP loses a connection | goes on as any call does; its answer waits for the client |
    /// | that session is ended by its client, or expires | is cancelled |
    ///
    /// Until it ends it counts among the [requests that run](crate::Server::max_in_flight). Without a client, what it
    /// [reports](Self::progress) and [logs](Self::log) goes nowhere, and it cannot ask: in a session the question
    /// fails, and elsewhere it ends the call, whose next round no client will begin.
    pub fn detach(&self) {
        self.inner.is_detached.store(true, Ordering::Release);
    }

    pub(crate) fn is_detached(&self) -> bool {
        self.inner.is_detached.load(Ordering::Acquire)
    }
}
