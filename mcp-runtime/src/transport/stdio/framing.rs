//! Lines out of a stream of bytes.
//!
//! "Messages are delimited by newlines, and MUST NOT contain embedded newlines." (basic/transports/stdio)

use std::ops::Range;

use bytes::Bytes;

/// How much is asked of the stream at once.
const READ: usize = 64 * 1024;
/// A shorter line is copied out of the buffer, so that a small request which stays in flight for long does
/// not keep a whole buffer alive; a longer one takes the buffer with it.
const SMALL: usize = READ / 8;

/// One line of the stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Its bytes, without the end of the line.
    Message(Bytes),
    /// It was longer than a message may be, and is gone.
    TooLong,
}

/// Splits what is read into lines, with bounded memory.
///
/// Bytes are read straight into [`Framer::space`], and a large message stays where it was read.
pub(super) struct Framer {
    /// Initialized in whole; `start..end` is what was read and not yet given out.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Up to here there is no newline.
    scanned: usize,
    limit: usize,
    /// The rest of a line that was too long is being skipped.
    skipping: bool,
}

impl Framer {
    /// Lines of up to `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self { buffer: vec![0; READ], start: 0, end: 0, scanned: 0, limit, skipping: false }
    }

    /// Where the next bytes go; never empty.
    pub(super) fn space(&mut self) -> &mut [u8] {
        if self.start == self.end {
            (self.start, self.end, self.scanned) = (0, 0, 0);
        }
        if self.end == self.buffer.len() {
            self.make_space();
        }
        &mut self.buffer[self.end..]
    }

    fn make_space(&mut self) {
        let held = self.end - self.start;
        if self.start > 0 && held <= self.buffer.len() / 2 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.scanned -= self.start;
            (self.start, self.end) = (0, held);
        } else {
            // What is held without a newline is no longer than the limit, so this is bounded.
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
    }

    /// Notes that the first `count` bytes of the space were filled.
    pub(super) fn filled(&mut self, count: usize) {
        self.end += count;
    }

    /// The next whole line that is not blank.
    pub(super) fn next_line(&mut self) -> Option<Line> {
        loop {
            let Some(at) = memchr::memchr(b'\n', &self.buffer[self.scanned..self.end]) else {
                self.scanned = self.end;
                return self.skip_too_long();
            };
            let line = self.take(self.scanned + at);
            if line.is_some() {
                return line;
            }
        }
    }

    /// What stands after the last newline, at the end of the stream: also a message.
    pub(super) fn last_line(&mut self) -> Option<Line> {
        self.take(self.end)
    }

    /// The line that ends at `end`, unless there is nothing in it.
    fn take(&mut self, end: usize) -> Option<Line> {
        let line = &self.buffer[self.start..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let range = self.start..self.start + line.len();
        let is_blank = line.iter().all(u8::is_ascii_whitespace);
        self.start = (end + 1).min(self.end);
        self.scanned = self.start;
        if std::mem::take(&mut self.skipping) || is_blank {
            return None;
        }
        if range.len() > self.limit {
            return Some(Line::TooLong);
        }
        Some(Line::Message(if range.len() < SMALL {
            Bytes::copy_from_slice(&self.buffer[range])
        } else {
            self.detach(range)
        }))
    }

    /// Gives the buffer away with a line in it; what was read beyond moves into a new one.
    fn detach(&mut self, line: Range<usize>) -> Bytes {
        let beyond = &self.buffer[self.start..self.end];
        let mut buffer = vec![0; READ.max(beyond.len())];
        buffer[..beyond.len()].copy_from_slice(beyond);
        (self.start, self.end, self.scanned) = (0, beyond.len(), 0);
        Bytes::from(std::mem::replace(&mut self.buffer, buffer)).slice(line)
    }

    /// Forgets a line that has no end yet and is too long already.
    fn skip_too_long(&mut self) -> Option<Line> {
        // One more byte may be the `\r` of the line's end.
        if !self.skipping && self.end - self.start <= self.limit.saturating_add(1) {
            return None;
        }
        if self.buffer.len() > READ {
            self.buffer = vec![0; READ];
        }
        (self.start, self.end, self.scanned) = (0, 0, 0);
        (!std::mem::replace(&mut self.skipping, true)).then_some(Line::TooLong)
    }
}
