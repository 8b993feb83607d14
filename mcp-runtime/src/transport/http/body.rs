//! The body of an answer.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use http::{HeaderValue, Response, StatusCode};
use http_body::{Body, Frame, SizeHint};

use super::stream::EventStream;
use crate::legacy::http::Connection;

/// The body of an answer of [`HttpService`](crate::HttpService): bytes that are there, or a stream of
/// server-sent events whose request is still running. Dropping it cancels the request, unless that is one of a
/// session: its client may come back for the rest.
pub struct HttpBody(Kind);

enum Kind {
    /// `None` once it is sent.
    Whole(Option<Bytes>),
    Stream(Box<EventStream>),
    /// Of a client of an older revision.
    Session(Box<Connection>),
}

impl HttpBody {
    pub(crate) fn empty() -> Self {
        Self(Kind::Whole(None))
    }

    pub(crate) fn whole(bytes: impl Into<Bytes>) -> Self {
        Self(Kind::Whole(Some(bytes.into()).filter(|bytes| !bytes.is_empty())))
    }

    pub(super) fn stream(stream: EventStream) -> Self {
        Self(Kind::Stream(Box::new(stream)))
    }

    pub(crate) fn session(connection: Connection) -> Self {
        Self(Kind::Session(Box::new(connection)))
    }
}

impl fmt::Debug for HttpBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::Whole(_) => "HttpBody(whole)",
            Kind::Stream(_) | Kind::Session(_) => "HttpBody(stream)",
        })
    }
}

impl Body for HttpBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        task: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = match &mut self.get_mut().0 {
            Kind::Whole(bytes) => bytes.take(),
            Kind::Stream(stream) => std::task::ready!(stream.poll_bytes(task)),
            Kind::Session(connection) => std::task::ready!(connection.poll_bytes(task)),
        };
        Poll::Ready(bytes.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Kind::Whole(bytes) => bytes.is_none(),
            Kind::Stream(stream) => stream.is_over(),
            Kind::Session(connection) => connection.is_over(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Kind::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, Bytes::len) as u64),
            Kind::Stream(_) | Kind::Session(_) => SizeHint::default(),
        }
    }
}

/// One JSON object.
pub(crate) fn json(status: StatusCode, bytes: impl Into<Bytes>) -> Response<HttpBody> {
    let mut response = Response::new(HttpBody::whole(bytes));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A stream of server-sent events.
///
/// "When initiating an SSE stream, servers SHOULD include the `X-Accel-Buffering: no` header" (Receiving
/// Messages).
pub(crate) fn events(body: HttpBody) -> Response<HttpBody> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}
