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
pub(crate) struct Refusal {
    status: StatusCode,
    message: Cow<'static, str>,
    header: Option<(HeaderName, &'static str)>,
    /// Where it is not the code of its kind of status.
    code: Option<i32>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { status, message: message.into(), header: None, code: None }
    }

    pub(crate) fn bad_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    pub(crate) fn not_found(path: &str, endpoint: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            format!("there is nothing at {path:?}; the endpoint is {endpoint:?}"),
        )
    }

    /// "HTTP GET or DELETE to the MCP endpoint: respond with `405 Method Not Allowed`." (Earlier Streamable
    /// HTTP Revisions)
    pub(crate) fn method_not_allowed(method: &http::Method, allowed: &'static str) -> Self {
        let message = format!("the endpoint takes {allowed}, not {method}");
        Self::new(StatusCode::METHOD_NOT_ALLOWED, message).with(ALLOW, allowed)
    }

    pub(crate) fn unsupported_media_type(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message)
    }

    /// The connection ends with it: what follows on it is the rest of a body that nobody reads.
    pub(crate) fn too_large(limit: usize) -> Self {
        let message = format!("the message is larger than {limit} bytes, the most that this server takes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, message).with(CONNECTION, "close")
    }

    pub(crate) fn too_slow(seconds: u64) -> Self {
        let message = format!("the message did not arrive within {seconds} seconds");
        Self::new(StatusCode::REQUEST_TIMEOUT, message).with(CONNECTION, "close")
    }

    pub(crate) fn overloaded(limit: usize) -> Self {
        let message = format!("the server is busy with {limit} requests; try again in a moment");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message).with(RETRY_AFTER, "1")
    }

    pub(crate) fn with(mut self, name: HeaderName, value: &'static str) -> Self {
        self.header = Some((name, value));
        self
    }

    /// With a code that says it all, and the message for itself.
    pub(crate) fn with_code(mut self, code: i32) -> Self {
        self.code = Some(code);
        self
    }

    pub(crate) fn into_response(self) -> Response<HttpBody> {
        let (code, label) = if self.status.is_server_error() {
            (INTERNAL_ERROR, "Internal error")
        } else {
            (INVALID_REQUEST, "Invalid Request")
        };
        let error = match self.code {
            Some(code) => Error::new(code, self.message),
            None => Error::new(code, format!("{label}: {}", self.message)),
        };
        let mut response = json(self.status, error_response(None, &error));
        response.extensions_mut().insert(Unread);
        if let Some((name, value)) = self.header {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response
    }
}
