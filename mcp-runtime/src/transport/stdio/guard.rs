//! The standard streams belong to the protocol while it is served.
//!
//! "The server MUST NOT write anything to its `stdout` that is not a valid MCP message."
//! (basic/transports/stdio) Handlers, the libraries they call and the processes they start print all the
//! same, and some read; so both streams move to descriptors that only the transport knows, and what is left
//! at the well-known numbers is harmless: file descriptor 1 leads to stderr, 0 to an empty file.

#![allow(unsafe_code, reason = "replacing a descriptor by number has no safe equivalent; each use is proved")]

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};

/// The standard streams, moved away. Dropping it puts them back.
pub(super) struct Streams {
    input: OwnedFd,
    output: OwnedFd,
    puts_back: bool,
}

impl Streams {
    /// Moves the streams away.
    pub(super) fn take() -> io::Result<Self> {
        let null = OpenOptions::new().read(true).write(true).open("/dev/null")?;
        let moved = Self {
            input: duplicate(io::stdin().as_fd(), &null)?,
            output: duplicate(io::stdout().as_fd(), &null)?,
            puts_back: true,
        };
        // From here on a failure puts back what was moved.
        replace(libc::STDIN_FILENO, null.as_raw_fd())?;
        if replace(libc::STDOUT_FILENO, libc::STDERR_FILENO).is_err() {
            // There is no stderr.
            replace(libc::STDOUT_FILENO, null.as_raw_fd())?;
        }
        // What was printed before and not yet written follows the descriptor.
        flush();
        Ok(moved)
    }

    /// What the client writes.
    pub(super) fn input(&self) -> io::Result<Patient> {
        Ok(Patient(self.input.try_clone()?.into()))
    }

    /// What the client reads.
    pub(super) fn output(&self) -> io::Result<Patient> {
        Ok(Patient(self.output.try_clone()?.into()))
    }

    /// Leaves the streams where they are, for handlers that go on and may print.
    pub(super) fn keep(mut self) {
        self.puts_back = false;
    }
}

impl Drop for Streams {
    fn drop(&mut self) {
        // A handler that goes on may hold the lock of a stream, so that a flush would wait for it.
        if !self.puts_back {
            return;
        }
        // Also what C has buffered, or it would follow the last message at the end of the process.
        flush();
        for (target, source) in [(libc::STDIN_FILENO, &self.input), (libc::STDOUT_FILENO, &self.output)] {
            if let Err(error) = replace(target, source.as_raw_fd()) {
                tracing::warn!("file descriptor {target} could not be put back: {error}");
            }
        }
    }
}

/// A private duplicate of a stream, which no child inherits; of `null` if the stream is closed.
fn duplicate(stream: BorrowedFd<'_>, null: &File) -> io::Result<OwnedFd> {
    stream.try_clone_to_owned().or_else(|_| null.as_fd().try_clone_to_owned())
}

/// Makes descriptor `target`, a standard stream, lead to where `source` leads.
fn replace(target: RawFd, source: RawFd) -> io::Result<()> {
    loop {
        // SAFETY: `dup2` takes two numbers and touches no memory. Its effect is on `target`, 0 or 1, which no
        // `OwnedFd` of this process owns: the standard library refers to the standard streams by number,
        // for the life of the process, and leaves it open where they lead. A `source` that is not open gives
        // an error and leaves `target` as it is.
        if unsafe { libc::dup2(source, target) } >= 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Writes what Rust and C have buffered for stdout.
fn flush() {
    let _ = io::stdout().flush();
    // SAFETY: "If the stream argument is NULL, fflush() flushes all open output streams." (fflush(3)) It locks
    // each, so that it may be called beside threads that use them.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}

/// A file that is read and written by waiting, also where whoever shares it has made it non-blocking.
pub(super) struct Patient(File);

impl Patient {
    fn wait(&self, events: libc::c_short) -> io::Result<()> {
        let mut poll = libc::pollfd { fd: self.0.as_raw_fd(), events, revents: 0 };
        // SAFETY: `poll` is one valid `pollfd` for the length of the call, and its descriptor is open as long
        // as `self` is borrowed.
        if unsafe { libc::poll(&raw mut poll, 1, -1) } < 0 {
            let error = io::Error::last_os_error();
            if error.kind() != io::ErrorKind::Interrupted {
                return Err(error);
            }
        }
        Ok(())
    }
}

impl Read for Patient {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.wait(libc::POLLIN)?,
                read => return read,
            }
        }
    }
}

impl Write for Patient {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.0.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.wait(libc::POLLOUT)?,
                written => return written,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
