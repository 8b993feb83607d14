//! Subscriptions: streams that stay open (basic/patterns/subscriptions, Receiving Messages).

use http::header::RETRY_AFTER;
use http::{HeaderValue, Response, StatusCode};

use super::HttpBody;
use super::body::json;
use crate::dispatch::Reply;
use crate::protocol::{Error, INTERNAL_ERROR, INVALID_REQUEST};

/// "The server's response is itself an SSE stream that stays open" (Receiving Messages): nothing for a client that does
/// not take one.
pub(super) fn takes_no_stream() -> Error {
    let why = "Invalid Request: the answer is a stream: send `Accept: application/json, text/event-stream`";
    Error::new(INVALID_REQUEST, why)
}

/// A subscription that was refused: what its params lack has the status of every such answer, and one subscription too
/// many that of one request too many.
pub(super) fn refused(reply: Reply) -> Response<HttpBody> {
    let is_overloaded = reply.error == Some(INTERNAL_ERROR);
    let status = if is_overloaded { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK };
    let mut response = json(status, reply.bytes);
    if is_overloaded {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}
