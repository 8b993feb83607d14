//! One POST, from its headers to its answer.

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context as Task, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::request::Parts;
use http::{Method, Request, Response, StatusCode};
use http_body::Body;
use tower_service::Service;

use super::accept::Accepts;
use super::access::Access;
use super::body::{HttpBody, events, json};
use super::flight::{InFlight, Permit};
use super::refusal::Refusal;
use super::request::{BoxError, check_content_type, read};
use super::stream::{EventStream, event};
use super::{HttpOptions, cors, headers, listen};
use crate::context::{Context, Outgoing};
use crate::dispatch::{Attended, Event, Exchange, Reply, admit};
use crate::legacy::http::Endpoint;
use crate::message::{Message, Request as Call};
use crate::output::error_response;
use crate::protocol::{MISSING_REQUIRED_CLIENT_CAPABILITY, Method as Called, UNSUPPORTED_PROTOCOL_VERSION};
use crate::server::Core;

/// Silence after which an answer becomes a stream, so that nobody on the way takes it for dead.
pub(crate) const SILENCE: Duration = Duration::from_secs(5);

/// A server as a [`tower_service::Service`], from [`Server::into_service`](crate::Server::into_service):
/// mount it in an axum router under any path, or in anything else that speaks `http`.
///
/// ```standalone_crate
/// use axum::Router;
/// use mcp_runtime::Server;
///
/// # fn example() -> Result<(), mcp_runtime::StartError> {
/// let service = Server::new().name("notes").into_service()?;
/// let app: Router = Router::new().route_service("/mcp", service);
/// # Ok(())
/// # }
/// # example().unwrap();
/// ```
///
/// It takes every request that it is given for one to the endpoint, whatever the path. `Host` and `Origin`
/// are checked as [`Server::serve_http`](crate::Server::serve_http) checks them. It needs a Tokio runtime
/// with its timer. A call runs inside the future, and then inside the body of the answer: dropping them
/// cancels it, unless its handler has [detached](crate::Context::detach) it. One of a session, which clients of older revisions have, runs in a task of its own, until it is
/// answered, cancelled, or without its session; sessions end with the last clone of the service.
#[derive(Clone)]
pub struct HttpService {
    inner: Arc<Inner>,
}

struct Inner {
    core: Arc<Core>,
    access: Access,
    in_flight: InFlight,
    /// For clients of older revisions, where they are served.
    legacy: Option<Endpoint>,
}

/// How a request came to a server of our own.
pub(super) struct Arrival {
    /// The address of ours that the connection came in at.
    pub(super) local: Option<IpAddr>,
    pub(super) endpoint: Arc<str>,
}

impl fmt::Debug for HttpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpService").finish_non_exhaustive()
    }
}

impl<B> Service<Request<B>> for HttpService
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Response<HttpBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<HttpBody>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Task<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { Ok(service.handle(request, None).await) })
    }
}

impl HttpService {
    pub(crate) fn new(core: Arc<Core>, options: &HttpOptions) -> Self {
        let in_flight = InFlight::new(core.limits().in_flight);
        let legacy = Endpoint::new(&core, options, &in_flight);
        Self { inner: Arc::new(Inner { core, access: Access::new(options), in_flight, legacy }) }
    }

    pub(crate) fn grace(&self) -> Duration {
        self.inner.core.limits().grace
    }

    /// Ends the streams that would go on for ever: the server is going to stop.
    pub(super) fn close(&self) {
        self.inner.core.hub().close();
        self.inner.legacy.as_ref().inspect(|legacy| legacy.close());
    }

    /// Completes when no call goes on without its client.
    pub(super) async fn detached(&self) {
        self.inner.core.detached().idle().await;
    }

    /// Ends what is left of sessions, and of calls without clients: the server has stopped.
    pub(super) fn end(&self) {
        self.inner.legacy.as_ref().inspect(|legacy| legacy.end());
        let cancelled = self.inner.core.detached().end();
        if cancelled > 0 {
            tracing::warn!(
                "{cancelled} calls that were detached are cancelled at the end of the grace period"
            );
        }
    }

    /// Answers one HTTP request; `arrival` is known where the server is our own.
    pub(super) async fn handle<B>(&self, request: Request<B>, arrival: Option<&Arrival>) -> Response<HttpBody>
    where
        B: Body<Data = Bytes>,
        B::Error: Into<BoxError>,
    {
        let (parts, body) = request.into_parts();
        let local = arrival.and_then(|arrival| arrival.local);
        let access = &self.inner.access;
        let checked = access
            .check_host(&parts.uri, &parts.headers, local)
            .and_then(|()| access.check_origin(&parts.headers, local));
        let origin = match checked {
            Ok(origin) => origin,
            Err(refusal) => return refusal.into_response(),
        };
        let preflight = origin.as_ref().and_then(|_| cors::preflight(&parts.method, &parts.headers));
        let mut response = if let Some(response) = preflight {
            response
        } else if let Some(legacy) =
            self.inner.legacy.as_ref().filter(|legacy| legacy.is_sse(parts.uri.path()))
        {
            let answer = Box::pin(self.sse(legacy, parts, body, arrival.is_some()));
            answer.await.unwrap_or_else(Refusal::into_response)
        } else if let Err(refusal) = check_path(&parts, arrival) {
            refusal.into_response()
        } else {
            self.post(parts, body).await.unwrap_or_else(Refusal::into_response)
        };
        if let Some(origin) = origin {
            cors::share(response.headers_mut(), origin);
        }
        response
    }

    async fn post<B>(&self, parts: Parts, body: B) -> Result<Response<HttpBody>, Refusal>
    where
        B: Body<Data = Bytes>,
        B::Error: Into<BoxError>,
    {
        let legacy = self.inner.legacy.as_ref();
        if parts.method != Method::POST {
            let refused = || Err(Refusal::method_not_allowed(&parts.method, "POST"));
            return legacy.map_or_else(refused, |legacy| legacy.other(&parts));
        }
        check_content_type(&parts.headers)?;
        let permit = self.inner.in_flight.enter()?;
        let bytes = read(body, self.inner.core.limits().body).await?;
        if let Some(legacy) = legacy.filter(|legacy| legacy.is_batch(&parts, &bytes)) {
            return legacy.batch(&parts, &bytes, permit)?.answer().await;
        }
        let message = Message::read(bytes);
        if let Some(legacy) = legacy.filter(|legacy| legacy.is_meant(&parts.headers, &message)) {
            return legacy.post(&parts, message, permit)?.answer().await;
        }
        match message {
            Message::Request(request) => Ok(self.answer(&parts, *request, permit).await),
            // "If the server accepts it, the server MUST return HTTP status code `202 Accepted` with no body."
            Message::Notification(_) => Ok(accepted()),
            Message::Response(_) => {
                Err(Refusal::bad_request("a client sends requests and notifications, not JSON-RPC responses"))
            }
            Message::Malformed(malformed) => {
                let bytes = error_response(malformed.id.as_deref(), &malformed.error);
                Ok(json(StatusCode::BAD_REQUEST, bytes))
            }
        }
    }

    /// HTTP+SSE, on a path of its own.
    async fn sse<B>(
        &self,
        legacy: &Endpoint,
        parts: Parts,
        body: B,
        is_own: bool,
    ) -> Result<Response<HttpBody>, Refusal>
    where
        B: Body<Data = Bytes>,
        B::Error: Into<BoxError>,
    {
        match parts.method {
            Method::GET => legacy.open_sse(&parts, is_own),
            Method::POST => {
                check_content_type(&parts.headers)?;
                let permit = self.inner.in_flight.enter()?;
                let bytes = read(body, self.inner.core.limits().body).await?;
                legacy.post_sse(&parts, bytes, permit).await
            }
            _ => Err(Refusal::method_not_allowed(&parts.method, "GET, POST")),
        }
    }

    async fn answer(&self, parts: &Parts, request: Call, permit: Permit) -> Response<HttpBody> {
        let fail = |status, error| json(status, error_response(Some(request.id()), &error));
        let core = &self.inner.core;
        let admitted = headers::check_version(&parts.headers, &request)
            .and_then(|()| admit(core, &request))
            .and_then(|admitted| {
                headers::check(admitted.catalog.registry(), &parts.headers, &request).and(Ok(admitted))
            });
        let (catalog, method) = match admitted {
            Ok(admitted) => (admitted.catalog, admitted.method),
            Err(error) => return fail(StatusCode::BAD_REQUEST, error),
        };
        let method = match method {
            Ok(method) => method,
            // "It MUST respond with `404 Not Found` and a JSON-RPC error with code `-32601`."
            Err(error) => return fail(StatusCode::NOT_FOUND, error),
        };
        let accepts = Accepts::of(&parts.headers);
        let is_stream = method == Called::Listen;
        if is_stream && !accepts.stream {
            return fail(StatusCode::NOT_ACCEPTABLE, listen::takes_no_stream());
        }
        let outgoing = if accepts.stream { Outgoing::Open } else { Outgoing::Discarded };
        let context = Context::new(Arc::clone(&self.inner.core), catalog, request, outgoing);
        let mut exchange = Exchange::start(context, Ok(method));
        if let Some(reply) = exchange.take_immediate() {
            return if is_stream { listen::refused(reply) } else { finished(reply, accepts) };
        }
        // Streams that stay open have a limit of their own.
        let permit = (!exchange.is_listening()).then_some(permit);
        let mut exchange = Attended::new(exchange, permit);
        match opening(&mut exchange, accepts).await {
            Some(Event::Reply(reply)) => finished(reply, accepts),
            Some(Event::Notification(line)) => streamed(exchange, Some(line)),
            None => streamed(exchange, None),
        }
    }
}

fn check_path(parts: &Parts, arrival: Option<&Arrival>) -> Result<(), Refusal> {
    match arrival {
        Some(Arrival { endpoint, .. }) if !is_at(parts.uri.path(), endpoint) => {
            Err(Refusal::not_found(parts.uri.path(), endpoint))
        }
        _ => Ok(()),
    }
}

/// People write a slash at the end of an address, or leave it out.
pub(crate) fn is_at(path: &str, endpoint: &str) -> bool {
    path.strip_suffix('/').unwrap_or(path) == endpoint.strip_suffix('/').unwrap_or(endpoint)
}

/// The first event, or nothing after [`SILENCE`] where the client takes a stream.
///
/// The request runs in here, so that a client that goes away cancels it before there is any answer, too.
async fn opening(exchange: &mut Exchange, accepts: Accepts) -> Option<Event> {
    let mut silence = pin!(None::<tokio::time::Sleep>);
    std::future::poll_fn(|task| {
        if let Poll::Ready(event) = exchange.poll_event(task) {
            return Poll::Ready(Some(event));
        }
        if !accepts.stream {
            return Poll::Pending;
        }
        if silence.is_none() {
            silence.set(Some(tokio::time::sleep(SILENCE)));
        }
        match silence.as_mut().as_pin_mut() {
            Some(sleep) => sleep.poll(task).map(|()| None),
            None => Poll::Pending,
        }
    })
    .await
}

/// An answer that was there before anything else.
fn finished(reply: Reply, accepts: Accepts) -> Response<HttpBody> {
    let status = match reply.error {
        // "The server MUST […] respond with `400 Bad Request`", for both.
        Some(MISSING_REQUIRED_CLIENT_CAPABILITY | UNSUPPORTED_PROTOCOL_VERSION) => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    };
    if accepts.only_stream() && status == StatusCode::OK {
        return events(HttpBody::whole(event(&reply.bytes)));
    }
    json(status, reply.bytes)
}

fn streamed(exchange: Attended<Option<Permit>>, notification: Option<Vec<u8>>) -> Response<HttpBody> {
    events(HttpBody::stream(EventStream::new(exchange, notification)))
}

pub(crate) fn accepted() -> Response<HttpBody> {
    let mut response = Response::new(HttpBody::empty());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}
