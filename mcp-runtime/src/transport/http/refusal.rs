//! Requests that are turned away before the dispatcher sees them.

use std::borrow::Cow;

use http::header::{ALLOW, CONNECTION, HeaderName, RETRY_AFTER};
use http::{HeaderValue, Response, StatusCode};

use super::HttpBody;
use super::body::json;
use super::linger::Unread;
use crate::output::error_response;
use crate::protocol::{Error, INTERNAL_ERROR, INVALID_REQUEST};

/// A status with a sentence for the person who meets it.
///
/// "The HTTP response body MAY comprise a JSON-RPC error response that has no `id`." (Sending Messages)
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    message: Cow<'static, str>,
    header: Option<(HeaderName, &'static str)>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { status, message: message.into(), header: None }
    }

    pub(super) fn bad_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    pub(super) fn not_found(path: &str, endpoint: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            format!("there is nothing at {path:?}; the endpoint is {endpoint:?}"),
        )
    }

    /// "HTTP GET or DELETE to the MCP endpoint: respond with `405 Method Not Allowed`." (Earlier Streamable
    /// HTTP Revisions)
    pub(super) fn method_not_allowed(method: &http::Method) -> Self {
        let message = format!("the endpoint takes POST, not {method}");
        Self::new(StatusCode::METHOD_NOT_ALLOWED, message).with(ALLOW, "POST")
    }

    pub(super) fn unsupported_media_type(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message)
    }

    /// The connection ends with it: what follows on it is the rest of a body that nobody reads.
    pub(super) fn too_large(limit: usize) -> Self {
        let message = format!("the message is larger than {limit} bytes, the most that this server takes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, message).with(CONNECTION, "close")
    }

    pub(super) fn too_slow(seconds: u64) -> Self {
        let message = format!("the message did not arrive within {seconds} seconds");
        Self::new(StatusCode::REQUEST_TIMEOUT, message).with(CONNECTION, "close")
    }

    pub(super) fn overloaded(limit: usize) -> Self {
        let message = format!("the server is busy with {limit} requests; try again in a moment");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message).with(RETRY_AFTER, "1")
    }

    fn with(mut self, name: HeaderName, value: &'static str) -> Self {
        self.header = Some((name, value));
        self
    }

    pub(super) fn into_response(self) -> Response<HttpBody> {
        let (code, label) = if self.status.is_server_error() {
            (INTERNAL_ERROR, "Internal error")
        } else {
            (INVALID_REQUEST, "Invalid Request")
        };
        let error = Error::new(code, format!("{label}: {}", self.message));
        let mut response = json(self.status, error_response(None, &error));
        response.extensions_mut().insert(Unread);
        if let Some((name, value)) = self.header {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response
    }
}
