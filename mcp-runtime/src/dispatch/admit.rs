//! What every request has to say before it is looked at any further (basic/index, `_meta`).

use std::sync::Arc;

use serde_json::json;

use crate::message::Request;
use crate::protocol::{
    Error, LogLevel, METHOD_NOT_FOUND, MODERN_VERSIONS, Method, ProtocolVersion, UNSUPPORTED_PROTOCOL_VERSION,
};
use crate::server::{Catalog, Core};

/// A request whose metadata is in order, of a revision that is spoken.
pub(crate) struct Admitted {
    /// What the request is judged by, and works on.
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) method: Result<Method, Error>,
}

/// Checks the metadata of a request.
///
/// "A request missing any required field is malformed; the server MUST reject it with JSON-RPC error code
/// `-32602`." The method is looked up as well, but not yet judged: HTTP has headers to compare first.
pub(crate) fn admit(core: &Core, request: &Request) -> Result<Admitted, Error> {
    let text = &request.text;
    let method = request.method.get(text);
    if let Some(fault) = &request.params.fault {
        return Err(Error::invalid_params(format!("Invalid params: {fault}")));
    }
    let meta = request.params.meta.as_ref();
    let version = meta.and_then(|meta| meta.protocol_version.as_ref()).map(|version| version.get(text));
    let Some(version) = version else {
        // "A server that supports only modern versions SHOULD name the protocol versions it supports in any
        // error it returns to an `initialize` request." (basic/versioning)
        if method == "initialize" {
            let requested = request.params.protocol_version.as_ref().map(|version| version.get(text));
            return Err(unsupported_version(requested.unwrap_or_default()));
        }
        return Err(missing_meta("protocolVersion"));
    };
    if ProtocolVersion::parse(version).is_none() {
        return Err(unsupported_version(version));
    }
    if meta.is_none_or(|meta| meta.client_capabilities.is_none()) {
        return Err(missing_meta("clientCapabilities"));
    }
    if let Some(level) = meta.and_then(|meta| meta.log_level.as_ref()).map(|level| level.get(text))
        && LogLevel::parse(level).is_none()
    {
        return Err(LogLevel::invalid(level));
    }
    let catalog = core.catalog();
    let method = Method::parse(method).filter(|method| catalog.serves(*method));
    Ok(Admitted {
        catalog,
        method: method.ok_or_else(|| {
            Error::new(METHOD_NOT_FOUND, format!("Method not found: {}", request.method.get(text)))
        }),
    })
}

fn missing_meta(key: &str) -> Error {
    Error::invalid_params(format!("Invalid params: `_meta[\"io.modelcontextprotocol/{key}\"]` is missing"))
}

/// `UnsupportedProtocolVersionError` (basic/versioning, Protocol Version Negotiation).
///
/// ```json
/// {"code": -32022, "message": "Unsupported protocol version",
///  "data": {"supported": ["2026-07-28"], "requested": "1900-01-01"}}
/// ```
pub(crate) fn unsupported_version(requested: &str) -> Error {
    Error::new(UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version")
        .with_data(json!({ "supported": MODERN_VERSIONS, "requested": requested }))
}
