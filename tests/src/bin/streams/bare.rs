//! What a stream costs whatever is said on it: the same hyper, with the same settings, and nothing else.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, Request, Response};
use http_body::{Body, Frame};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use mcp_runtime::Result;
use tokio::net::TcpListener;

/// One event, and then nothing for ever.
struct Events(Option<Bytes>);

impl Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.0.take() {
            Some(event) => Poll::Ready(Some(Ok(Frame::data(event)))),
            None => Poll::Pending,
        }
    }
}

async fn answer(request: Request<Incoming>) -> Result<Response<Events>, hyper::Error> {
    request.into_body().collect().await?;
    let event = Bytes::from_static(
        b"event: message\ndata: {\"method\":\"notifications/subscriptions/acknowledged\"}\n\n",
    );
    let mut response = Response::new(Events(Some(event)));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Ok(response)
}

pub(crate) async fn serve() -> Result<()> {
    let mut builder = Builder::new(TokioExecutor::new());
    let idle = Duration::from_secs(60);
    builder.http1().timer(TokioTimer::new()).header_read_timeout(idle).max_buf_size(64 * 1024);
    let builder = Arc::new(builder);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("bare listening on http://{}/", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let builder = Arc::clone(&builder);
        tokio::spawn(async move {
            let _ = builder.serve_connection(TokioIo::new(stream), service_fn(answer)).await;
        });
    }
}
