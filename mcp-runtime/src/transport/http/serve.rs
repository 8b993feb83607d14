//! A server of our own: connections, and the end of them.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::HttpService;
use super::linger::{Unread, lend};
use super::service::Arrival;

/// The most connections that are open at once; more wait in the system's queue.
const CONNECTIONS: usize = 10_000;
/// The longest that the headers of a connection's first request may take.
const FIRST_HEADERS: Duration = Duration::from_secs(10);
/// The longest that a connection stays without a request, and that the headers of a later one may take.
const IDLE: Duration = Duration::from_secs(60);
/// The most bytes that the headers of one request may have.
const HEADERS: usize = 64 * 1024;
/// How often the other end of a silent HTTP/2 connection is asked whether it is still there.
const PING: Duration = Duration::from_secs(30);
/// The pause after the system could not give a connection, for want of file handles for example.
const BACK_OFF: Duration = Duration::from_millis(100);

/// How long connections that are cut off may take to end.
const CUT_OFF: Duration = Duration::from_millis(200);

/// Serves a listener until `shutdown`, and then what is in flight for as long as the server's grace.
pub(crate) async fn serve(
    listener: TcpListener,
    service: HttpService,
    endpoint: &str,
    shutdown: impl Future<Output = ()>,
) {
    let endpoint: Arc<str> = endpoint.into();
    let builder = Arc::new(builder());
    let (stop, stopping) = watch::channel(false);
    let mut connections = JoinSet::new();
    let mut shutdown = pin!(shutdown);
    loop {
        tokio::select! {
            biased;
            () = shutdown.as_mut() => break,
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
            accepted = listener.accept(), if connections.len() < CONNECTIONS => match accepted {
                Ok((stream, _)) => {
                    let local = stream.local_addr().ok().map(|address| address.ip().to_canonical());
                    let arrival = Arrival { local, endpoint: Arc::clone(&endpoint) };
                    let builder = Arc::clone(&builder);
                    connections.spawn(connection(stream, service.clone(), arrival, builder, stopping.clone()));
                }
                Err(error) if is_of_one_connection(&error) => {}
                Err(error) => {
                    tracing::warn!("no connection could be accepted: {error}");
                    tokio::time::sleep(BACK_OFF).await;
                }
            }
        }
    }
    drop(listener);
    stop.send_replace(true);
    // "The server tears it down (e.g., during shutdown)" (basic/patterns/subscriptions, Cancellation).
    service.close();
    let finish = async {
        while connections.join_next().await.is_some() {}
        service.detached().await;
    };
    let is_over = tokio::time::timeout(service.grace(), finish).await.is_ok();
    if !is_over && !connections.is_empty() {
        tracing::warn!("{} connections were cut off at the end of the grace period", connections.len());
        // One whose handler blocks its thread cannot be cut off, and is not waited for.
        let _ = tokio::time::timeout(CUT_OFF, connections.shutdown()).await;
    }
    service.end();
}

fn builder() -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(IDLE).max_buf_size(HEADERS);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(PING)
        .max_header_list_size(u32::try_from(HEADERS).unwrap_or(u32::MAX));
    builder
}

async fn connection(
    stream: TcpStream,
    service: HttpService,
    arrival: Arrival,
    builder: Arc<Builder<TokioExecutor>>,
    mut stopping: watch::Receiver<bool>,
) {
    // An answer is one write; waiting for more of it would only hold it up.
    let _ = stream.set_nodelay(true);
    let (stream, lender) = lend(stream);
    let state =
        Arc::new(State { service, arrival, asked: AtomicBool::new(false), unread: AtomicBool::new(false) });
    let shared = Arc::clone(&state);
    let service = service_fn(move |request| {
        let state = Arc::clone(&shared);
        async move {
            state.asked.store(true, Ordering::Relaxed);
            // Boxed: the connection keeps the room of this future for as long as a stream goes on.
            let response = Box::pin(state.service.handle(request, Some(&state.arrival))).await;
            state.unread.store(response.extensions().get::<Unread>().is_some(), Ordering::Relaxed);
            Ok::<_, Infallible>(response)
        }
    });
    let mut connection = Box::pin(builder.serve_connection(TokioIo::new(stream), service));
    let mut stop = pin!(stopping.wait_for(|stop| *stop));
    let mut first = pin!(tokio::time::sleep(FIRST_HEADERS));
    let (mut open, mut awaits_first) = (true, true);
    loop {
        tokio::select! {
            biased;
            ended = connection.as_mut() => {
                // A client may go away at any time.
                if let Err(error) = ended {
                    tracing::debug!("a connection ended early: {error}");
                }
                break;
            }
            _ = stop.as_mut(), if open => {
                open = false;
                connection.as_mut().graceful_shutdown();
            }
            () = first.as_mut(), if awaits_first => {
                awaits_first = false;
                if !state.asked.load(Ordering::Relaxed) {
                    return;
                }
            }
        }
    }
    drop(connection);
    if state.unread.load(Ordering::Relaxed) {
        // Boxed, as few connections come here and each would keep the room for it.
        Box::pin(lender.linger()).await;
    }
}

/// What the requests of one connection share.
struct State {
    service: HttpService,
    arrival: Arrival,
    /// There was a request.
    asked: AtomicBool,
    /// The last message was refused before it was read.
    unread: AtomicBool,
}

fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}
