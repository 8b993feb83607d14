//! Closing a connection whose client is still sending.
//!
//! A message that is refused by its headers is not read. Were the socket simply closed, the system would tell
//! the client so with a reset, which also throws away the answer that says why.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// The longest that the rest of a refused message is thrown away.
const LINGER: Duration = Duration::from_secs(5);

/// A mark on answers to messages that were not read.
#[derive(Clone, Copy)]
pub(super) struct Unread;

/// A connection that outlives the HTTP that was spoken on it.
pub(super) struct Lent {
    stream: Option<TcpStream>,
    back: Arc<Mutex<Option<TcpStream>>>,
}

/// Where a connection comes back to.
pub(super) struct Lender(Arc<Mutex<Option<TcpStream>>>);

pub(super) fn lend(stream: TcpStream) -> (Lent, Lender) {
    let back = Arc::default();
    (Lent { stream: Some(stream), back: Arc::clone(&back) }, Lender(back))
}

impl Lender {
    /// Reads what the client still sends, until it has read that it may stop.
    pub(super) async fn linger(self) {
        let stream = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut stream) = stream else { return };
        let drain = async {
            let mut scrap = vec![0; 64 * 1024];
            while stream.read(&mut scrap).await.is_ok_and(|count| count > 0) {}
        };
        let _ = tokio::time::timeout(LINGER, drain).await;
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        *self.back.lock().unwrap_or_else(PoisonError::into_inner) = self.stream.take();
    }
}

impl Lent {
    fn stream(self: Pin<&mut Self>) -> Pin<&mut TcpStream> {
        // It is taken out by `drop` alone.
        Pin::new(self.get_mut().stream.as_mut().expect("the connection is here until it is dropped"))
    }
}

impl AsyncRead for Lent {
    fn poll_read(
        self: Pin<&mut Self>,
        task: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.stream().poll_read(task, buffer)
    }
}

impl AsyncWrite for Lent {
    fn poll_write(self: Pin<&mut Self>, task: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.stream().poll_write(task, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        task: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.stream().poll_write_vectored(task, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }

    fn poll_flush(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_flush(task)
    }

    fn poll_shutdown(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_shutdown(task)
    }
}
