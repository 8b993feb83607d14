//! Cross-origin requests from pages whose origin is allowed (Fetch, "HTTP-network-or-cache fetch", CORS).

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, VARY,
};
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode};

use super::HttpBody;

/// The answer to a preflight; `None` where the request is none.
///
/// The headers that the page asks for are allowed as they are: `Mcp-Param-*` has no fixed list.
pub(super) fn preflight(method: &Method, headers: &HeaderMap) -> Option<Response<HttpBody>> {
    if method != Method::OPTIONS || !headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD) {
        return None;
    }
    let mut response = Response::new(HttpBody::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let answer = response.headers_mut();
    answer.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, DELETE"));
    answer.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("7200"));
    let asked = headers.get(ACCESS_CONTROL_REQUEST_HEADERS).cloned();
    let usual = HeaderValue::from_static(
        "content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id",
    );
    answer.insert(ACCESS_CONTROL_ALLOW_HEADERS, asked.unwrap_or(usual));
    Some(response)
}

/// Lets the page read the answer.
pub(super) fn share(answer: &mut HeaderMap, origin: HeaderValue) {
    answer.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    let readable = "retry-after, www-authenticate, mcp-session-id";
    answer.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(readable));
    let vary = "origin, access-control-request-headers";
    answer.insert(VARY, HeaderValue::from_static(vary));
}
