//! The one owner of the output.

use std::io;
use std::pin::pin;

use tokio::io::{AsyncWrite, AsyncWriteExt};

use super::outbound::Outbound;

/// Writes whole lines until the end of the session, or until the client is gone.
pub(super) async fn write(outbound: &Outbound, writer: impl AsyncWrite) -> io::Result<()> {
    let mut writer = pin!(writer);
    let mut chunk = Chunk::default();
    loop {
        outbound.next_lines(&mut chunk.lines).await;
        let bytes = chunk.bytes();
        if bytes.is_empty() {
            return Ok(());
        }
        writer.write_all(bytes).await?;
        writer.flush().await?;
        outbound.written(bytes.len());
    }
}

/// The same, for a thread of its own.
pub(super) fn write_blocking(
    runtime: &tokio::runtime::Handle,
    outbound: &Outbound,
    mut writer: impl io::Write,
) -> io::Result<()> {
    let mut chunk = Chunk::default();
    loop {
        runtime.block_on(outbound.next_lines(&mut chunk.lines));
        let bytes = chunk.bytes();
        if bytes.is_empty() {
            return Ok(());
        }
        writer.write_all(bytes)?;
        writer.flush()?;
        outbound.written(bytes.len());
    }
}

/// Lines that are written at once.
#[derive(Default)]
struct Chunk {
    lines: Vec<Vec<u8>>,
    joined: Vec<u8>,
}

impl Chunk {
    /// One line as it is, however large; several, which are small, copied together.
    fn bytes(&mut self) -> &[u8] {
        if let [line] = &*self.lines {
            return line;
        }
        self.joined.clear();
        self.lines.iter().for_each(|line| self.joined.extend_from_slice(line));
        &self.joined
    }
}
