//! A call in a task of its own.

use std::sync::Arc;

use super::session::Grounded;
use super::stream::Stream;
use super::usage::Use;
use crate::dispatch::Reply;
use crate::legacy::{Call, Event, Revision};
use crate::protocol::Error;
use crate::transport::http::Permit;

/// A call that runs in a task of its own, whoever reads what it gives: "To cancel, the client SHOULD explicitly send an
/// MCP `CancelledNotification`." (2025-11-25, basic/transports, Sending Messages to the Server)
struct Flight {
    user: Use,
    id: Box<str>,
    serial: u64,
    stream: Arc<Stream>,
    is_over: bool,
    /// It counts as in flight for as long as it runs, not for as long as its client is there.
    running: Option<(Call, Permit)>,
}

/// Runs a call, which gives what it has to say to `stream`.
pub(super) fn launch(
    user: &Use,
    id: &str,
    call: Call,
    stream: &Arc<Stream>,
    permit: Permit,
) -> Result<(), Grounded> {
    let serial = user.take_off(id)?;
    let (id, stream) = (Box::from(id), Arc::clone(stream));
    let flight =
        Flight { user: user.clone(), id, serial, stream, is_over: false, running: Some((call, permit)) };
    let id = flight.id.clone();
    let task = tokio::spawn(flight.run());
    user.set_task(&id, serial, task.abort_handle());
    Ok(())
}

impl Flight {
    async fn run(mut self) {
        while let Some((call, _)) = &mut self.running {
            match call.next().await {
                Event::Message(line) => {
                    self.stream.room().await;
                    self.stream.push(line);
                }
                Event::Release(after) if self.has_polling() => self.stream.release(after),
                Event::Release(_) => {}
                Event::Reply(reply) => {
                    self.stream.room().await;
                    return self.answer(reply.bytes);
                }
            }
        }
    }

    /// The client comes back for the rest with the id that primed it.
    fn has_polling(&self) -> bool {
        let revision = self.user.session().map(|session| session.revision());
        self.user.line().is_none() && revision.is_some_and(Revision::has_polling)
    }

    /// Answers, or leaves it where the call was cancelled: whichever came first.
    fn answer(&mut self, line: Vec<u8>) {
        self.is_over = true;
        if self.user.land(&self.id, self.serial) {
            self.stream.answer(line);
            self.user.tidy();
        } else {
            self.stream.expect_less();
        }
    }
}

impl Drop for Flight {
    /// A call whose task ends without an answer, though nobody cancelled it, is answered all the same.
    ///
    /// With HTTP+SSE a session ends with its connection, and what its handlers have detached goes on.
    fn drop(&mut self) {
        if !self.is_over
            && self.user.is_left()
            && let Some((call, permit)) = self.running.take()
        {
            call.abandon(permit);
        }
        if !self.is_over {
            let error = Error::internal("Internal error");
            self.answer(Reply::error(Some(&self.id), &error).bytes);
        }
    }
}
