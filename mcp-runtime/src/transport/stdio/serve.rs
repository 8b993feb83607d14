//! The loop of one client: read, answer, write; and its end.

use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};

use super::outbound::Outbound;
use super::session::Session;
use super::source::{Source, StreamSource};
use super::write::write;
use crate::server::Core;

/// How long answers that are there may take to be written after the grace.
const LAST_WRITE: Duration = Duration::from_millis(200);

/// How serving a client ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// How many requests were cancelled because they went on for too long, or because the client is gone.
    pub(crate) cancelled: usize,
}

/// Serves one client over any pair of streams, until its input ends or `stop` completes.
///
/// "Custom transports built on such streams SHOULD reuse this framing." (basic/transports/stdio)
///
/// `stop` is asked for twice: a second wish to stop ends the grace.
pub(crate) async fn serve_io<S: Future<Output = ()>>(
    core: Arc<Core>,
    reader: impl AsyncRead,
    writer: impl AsyncWrite,
    stop: impl Fn() -> S,
) -> End {
    let outbound = Arc::new(Outbound::default());
    let source = StreamSource::new(reader, core.limits().body);
    let writing = write(&outbound, writer);
    serve(core, Arc::clone(&outbound), source, writing, stop).await
}

/// Serves one client. `writing` ends when the outbound queue is finished, or when the client is gone.
pub(super) async fn serve<S: Future<Output = ()>>(
    core: Arc<Core>,
    outbound: Arc<Outbound>,
    mut source: impl Source,
    writing: impl Future<Output = io::Result<()>>,
    stop: impl Fn() -> S,
) -> End {
    let grace = core.limits().grace;
    let mut session = Session::new(core, Arc::clone(&outbound));
    let mut writing = pin!(writing);
    let gone = {
        let mut stop = pin!(stop());
        loop {
            session.resume();
            tokio::select! {
                biased;
                written = &mut writing => break Some(written),
                () = &mut stop => break None,
                () = outbound.room(), if session.holds() => {}
                batch = std::future::poll_fn(|task| source.poll_batch(task)), if session.may_read() => {
                    match batch {
                        Some(batch) => batch.into_iter().for_each(|line| session.accept(line)),
                        None => break None,
                    }
                }
            }
        }
    };
    drop(source);
    session.input_ended();
    let written = match gone {
        Some(written) => Some(written),
        None => finish(&mut session, &outbound, writing.as_mut(), grace, stop()).await,
    };
    let mut cancelled = 0;
    if let Some(Err(_)) = written {
        cancelled += outbound.leave();
        tokio::select! {
            _ = tokio::time::timeout(grace, outbound.idle()) => {}
            () = stop() => {}
        }
    }
    cancelled += outbound.cancel_all();
    outbound.finish();
    match written {
        Some(Ok(())) => {}
        // What is left has nobody to go to.
        Some(Err(error)) => tracing::debug!("the client is gone: {error}"),
        // Answers that are there are not lost to a grace that was too short to write them.
        None => drop(tokio::time::timeout(LAST_WRITE, writing).await),
    }
    End { cancelled }
}

/// "Servers SHOULD exit promptly when their standard input is closed" (basic/transports/stdio, Shutdown):
/// what was read is still answered, within the grace. Gives how the writing ended, if it did.
async fn finish(
    session: &mut Session,
    outbound: &Outbound,
    mut writing: Pin<&mut impl Future<Output = io::Result<()>>>,
    grace: Duration,
    stop: impl Future<Output = ()>,
) -> Option<io::Result<()>> {
    session.end_subscriptions();
    let mut over = pin!(tokio::time::sleep(grace));
    let mut stop = pin!(stop);
    loop {
        session.resume();
        let is_idle = !session.holds() && outbound.in_flight() == 0;
        if is_idle {
            outbound.finish();
        }
        tokio::select! {
            biased;
            written = &mut writing => return Some(written),
            () = &mut over => return None,
            () = &mut stop => return None,
            () = outbound.room(), if session.holds() => {}
            () = outbound.idle(), if !is_idle && !session.holds() => {}
        }
    }
}
