//! Where lines come from: a stream that is polled, or a thread that reads blockingly.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::task::{Context as Task, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::mpsc;

use super::framing::{Framer, Line};

/// The lines of one read, in order: the unit in which lines are passed on.
pub(super) type Batch = VecDeque<Line>;

/// A source of lines.
pub(super) trait Source {
    /// The next lines, at least one; `None` at the end of the stream.
    fn poll_batch(&mut self, task: &mut Task<'_>) -> Poll<Option<Batch>>;
}

/// Reads lines from any asynchronous stream.
pub(super) struct StreamSource<R> {
    reader: Pin<Box<R>>,
    framer: Framer,
    ended: bool,
}

impl<R: AsyncRead> StreamSource<R> {
    pub(super) fn new(reader: R, limit: usize) -> Self {
        Self { reader: Box::pin(reader), framer: Framer::new(limit), ended: false }
    }
}

impl<R: AsyncRead> Source for StreamSource<R> {
    fn poll_batch(&mut self, task: &mut Task<'_>) -> Poll<Option<Batch>> {
        while !self.ended {
            let mut space = ReadBuf::new(self.framer.space());
            let read = ready!(self.reader.as_mut().poll_read(task, &mut space));
            let count = space.filled().len();
            let batch = after_read(&mut self.framer, read.map(|()| count), &mut self.ended);
            if !batch.is_empty() {
                return Poll::Ready(Some(batch));
            }
        }
        Poll::Ready(None)
    }
}

/// Receives the lines that a thread reads; see [`read_blocking`].
pub(super) struct ThreadSource(pub(super) mpsc::Receiver<Batch>);

impl Source for ThreadSource {
    fn poll_batch(&mut self, task: &mut Task<'_>) -> Poll<Option<Batch>> {
        self.0.poll_recv(task)
    }
}

/// Reads to the end of the stream, for a thread of its own. Ends early when nobody takes the lines any more.
pub(super) fn read_blocking(mut reader: impl io::Read, limit: usize, lines: &mpsc::Sender<Batch>) {
    let mut framer = Framer::new(limit);
    let mut ended = false;
    while !ended {
        let read = reader.read(framer.space());
        if matches!(&read, Err(error) if error.kind() == io::ErrorKind::Interrupted) {
            continue;
        }
        let batch = after_read(&mut framer, read, &mut ended);
        if !batch.is_empty() && lines.blocking_send(batch).is_err() {
            return;
        }
    }
}

/// The lines that a read has completed. A stream that fails has ended.
fn after_read(framer: &mut Framer, read: io::Result<usize>, ended: &mut bool) -> Batch {
    match read {
        Ok(0) => *ended = true,
        Ok(count) => framer.filled(count),
        Err(error) => {
            tracing::warn!("the input could not be read: {error}");
            *ended = true;
        }
    }
    let mut batch: Batch = std::iter::from_fn(|| framer.next_line()).collect();
    if *ended {
        batch.extend(framer.last_line());
    }
    batch
}
