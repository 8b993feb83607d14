//! A connection that reads a stream.

use std::sync::{Arc, Weak};
use std::task::{Context as Task, Poll};

use bytes::Bytes;

use super::buffer::Serial;
use super::event_id::{EventId, retry};
use super::sessions::{SessionId, Sessions};
use super::stream::{Next, Stream};
use super::usage::Use;
use crate::transport::http::{COMMENT, KeepAlive, event};

/// A connection that reads a stream, as the body of an answer. What runs does not end with it: "Disconnection SHOULD
/// NOT be interpreted as the client cancelling its request" (2025-11-25, basic/transports).
pub(crate) struct Connection {
    user: Use,
    stream: Arc<Stream>,
    serial: Serial,
    source: Source,
    /// What comes before anything else.
    head: Option<Bytes>,
    keep_alive: KeepAlive,
    is_over: bool,
}

/// Where messages come from.
enum Source {
    /// From calls.
    Calls,
    /// From the session itself: taken when there is somebody to read them, so that one who does not costs nothing.
    Session,
    /// From both, without ids; and this connection is the session (2024-11-05, basic/transports, HTTP with SSE).
    Everything(Line),
}

/// A session of HTTP+SSE, which ends with its connection.
pub(super) struct Line {
    pub(super) sessions: Weak<Sessions>,
    pub(super) id: SessionId,
}

impl Connection {
    /// One that takes what follows a position of a stream of calls.
    pub(super) fn of_calls(user: Use, stream: &Arc<Stream>, after: u64) -> Self {
        Self::new(user, stream, stream.connect(after), Source::Calls)
    }

    /// One that takes what follows a position of the standalone stream.
    pub(super) fn of_session(user: Use, stream: &Arc<Stream>, after: u64) -> Self {
        Self::new(user, stream, stream.connect(after), Source::Session)
    }

    /// One that takes what comes from here on of the standalone stream; and the id of its first event.
    pub(super) fn of_session_afresh(user: Use, stream: &Arc<Stream>) -> (Self, EventId) {
        let (serial, position) = stream.connect_afresh();
        let id = EventId { stream: stream.number, position };
        (Self::new(user, stream, serial, Source::Session), id)
    }

    /// The one of a session of HTTP+SSE.
    pub(super) fn of_line(user: Use, stream: &Arc<Stream>, line: Line) -> Self {
        Self::new(user, stream, stream.connect(0), Source::Everything(line))
    }

    fn new(user: Use, stream: &Arc<Stream>, serial: Serial, source: Source) -> Self {
        let (stream, keep_alive) = (Arc::clone(stream), KeepAlive::default());
        Self { user, stream, serial, source, head: None, keep_alive, is_over: false }
    }

    pub(super) fn stream(&self) -> &Arc<Stream> {
        &self.stream
    }

    /// Writes this before anything else.
    pub(super) fn begin_with(mut self, head: Bytes) -> Self {
        self.head = Some(head);
        self
    }

    /// The answer of a stream that is over and said nothing else.
    pub(super) fn only_answer(&self) -> Option<Bytes> {
        self.stream.only_answer()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over && self.head.is_none()
    }

    pub(crate) fn poll_bytes(&mut self, task: &mut Task<'_>) -> Poll<Option<Bytes>> {
        if let Some(head) = self.head.take() {
            return Poll::Ready(Some(head));
        }
        loop {
            if self.is_over {
                return Poll::Ready(None);
            }
            match self.stream.poll_next(task, self.serial) {
                Poll::Ready(Next::Message { position, line, is_last }) => {
                    self.keep_alive.reset();
                    self.is_over = is_last;
                    return Poll::Ready(Some(self.written(position, &line)));
                }
                Poll::Ready(Next::Retry(after)) => {
                    self.is_over = true;
                    return Poll::Ready(Some(retry(after)));
                }
                Poll::Ready(Next::End) => self.is_over = true,
                Poll::Pending => match self.poll_session(task) {
                    Poll::Ready(Some(line)) => self.stream.push(line),
                    // The server is going to stop. Calls may still answer on a stream that is theirs, too.
                    Poll::Ready(None) if matches!(self.source, Source::Session) => self.is_over = true,
                    _ => return self.keep_alive.poll(task).map(Some),
                },
            }
        }
    }

    fn written(&self, position: u64, line: &[u8]) -> Bytes {
        match self.source {
            Source::Everything(_) => event(line),
            _ => EventId { stream: self.stream.number, position }.event(line),
        }
    }

    fn poll_session(&self, task: &mut Task<'_>) -> Poll<Option<Vec<u8>>> {
        match (&self.source, self.user.session()) {
            (Source::Session | Source::Everything(_), Some(session)) => session.poll_message(task),
            _ => Poll::Pending,
        }
    }

    /// The head of an event stream that has nothing to say yet.
    pub(super) const SILENT: Bytes = COMMENT;
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.stream.disconnect(self.serial);
        if let Source::Everything(Line { sessions, id }) = &self.source
            && let Some(sessions) = sessions.upgrade()
        {
            sessions.leave(*id);
        }
    }
}
