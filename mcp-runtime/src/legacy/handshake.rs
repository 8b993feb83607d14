//! `initialize` (2025-11-25, basic/lifecycle).

use std::sync::Arc;

use serde_json::{Map, Value};

use super::translate::{client_capabilities, initialize_result};
use super::{Revision, Session};
use crate::context::Client;
use crate::dispatch::Reply;
use crate::message::Request;
use crate::output::result_response;
use crate::protocol::Error;
use crate::server::Core;

/// Opens a session, and answers with what was agreed on.
///
/// ```json
/// {"protocolVersion": "2025-11-25", "capabilities": {"tools": {"listChanged": true}, "logging": {}},
///  "serverInfo": {"name": "quickstart", "version": "0.1.0"}}
/// ```
///
/// # Errors
///
/// The answer to a request without a version.
pub(crate) fn initialize(core: &Arc<Core>, request: &Request) -> Result<(Arc<Session>, Reply), Reply> {
    let (text, params) = (&request.text, &request.params);
    let id = request.id();
    let refuse = |why: &str| Reply::error(Some(id), &Error::invalid_params(format!("Invalid params: {why}")));
    if let Some(fault) = &params.fault {
        return Err(refuse(fault));
    }
    let Some(requested) = &params.protocol_version else {
        return Err(refuse("`params.protocolVersion` is missing, or is no string"));
    };
    let revision = Revision::negotiate(requested.get(text));
    let capabilities = match params.capabilities.map(|span| text.get(span)) {
        None | Some("null") => Map::new(),
        Some(json) => serde_json::from_str::<Map<String, Value>>(json)
            .map_err(|_| refuse("`params.capabilities` must be an object"))?,
    };
    let info = params.client_info.and_then(|span| serde_json::from_str(text.get(span)).ok());
    let client = Client::new(info, client_capabilities(revision, capabilities));
    let result = initialize_result(
        revision,
        &core.capabilities(),
        &core.identity().info,
        core.identity().instructions.as_deref(),
    );
    let reply = Reply::answer(result_response(id, &result));
    Ok((Session::new(Arc::clone(core), revision, client), reply))
}

/// "The receiver MUST respond promptly with an empty response" (2025-11-25, basic/utilities/ping).
///
/// It may come before `initialize`, and says nothing that a revision would say in another way.
pub(crate) fn ping(request: &Request) -> Reply {
    Reply::answer(result_response(request.id(), &Value::Object(Map::new())))
}
