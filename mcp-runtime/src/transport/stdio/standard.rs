//! Serving the client that has started this process, over the standard streams.

use std::io;
use std::sync::Arc;
use std::thread;

use tokio::sync::{mpsc, oneshot};

use super::guard::Streams;
use super::outbound::Outbound;
use super::serve::serve;
use super::source::{ThreadSource, read_blocking};
use super::write::write_blocking;
use crate::server::Core;
use crate::transport::signal::{insist, termination};

/// Serves until stdin ends, the client is gone, or the process is told to end.
///
/// Each stream has a thread of its own, because whoever shares the descriptor at its other end decides
/// whether it can be polled. Neither thread is waited for: one that is stuck in a read or a write does not
/// keep the process alive.
pub(crate) async fn serve_standard(core: Arc<Core>) -> io::Result<()> {
    let streams = Streams::take()?;
    let (reader, writer) = (streams.input()?, streams.output()?);
    let outbound = Arc::new(Outbound::default());

    let limit = core.limits().body;
    // One batch waits while the next is read.
    let (lines, source) = mpsc::channel(1);
    thread::Builder::new()
        .name("mcp-stdin".to_owned())
        .spawn(move || read_blocking(reader, limit, &lines))?;

    let (ended, written) = oneshot::channel();
    let runtime = tokio::runtime::Handle::current();
    let queue = Arc::clone(&outbound);
    thread::Builder::new().name("mcp-stdout".to_owned()).spawn(move || {
        let _ = ended.send(write_blocking(&runtime, &queue, writer));
    })?;
    let writing = async { written.await.unwrap_or_else(|_| Err(io::ErrorKind::BrokenPipe.into())) };

    let insistence = insist(core.limits().grace);
    let end = serve(core, outbound, ThreadSource(source), writing, termination).await;
    drop(insistence);
    if end.cancelled > 0 {
        streams.keep();
    }
    Ok(())
}
