//! What a client says about itself with each request.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::message::Request;

/// The client that sent a request: its name and what it can do.
///
/// Both are self-reported: good for display and logs, not for decisions on security (basic/index, `_meta`).
#[derive(Clone, Debug, Default)]
pub struct Client {
    info: Option<ClientInfo>,
    capabilities: Map<String, Value>,
}

/// `io.modelcontextprotocol/clientInfo`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ClientInfo {
    /// The name for programs.
    pub name: String,
    /// The name for people.
    #[serde(default)]
    pub title: Option<String>,
    /// Its version.
    pub version: String,
}

impl Client {
    /// A client that introduced itself.
    pub(crate) fn new(info: Option<ClientInfo>, capabilities: Map<String, Value>) -> Self {
        Self { info, capabilities }
    }

    pub(super) fn of(request: &Request) -> Self {
        let Some(meta) = &request.params.meta else { return Self::default() };
        let json = |span| request.text.get(span);
        Self {
            info: meta.client_info.and_then(|span| serde_json::from_str(json(span)).ok()),
            capabilities: meta
                .client_capabilities
                .and_then(|span| serde_json::from_str(json(span)).ok())
                .unwrap_or_default(),
        }
    }

    /// The name and version, where the client gave them.
    pub fn info(&self) -> Option<&ClientInfo> {
        self.info.as_ref()
    }

    /// The capabilities that the client declared for this request.
    ///
    /// ```json
    /// {"elicitation": {"form": {}}, "extensions": {"io.modelcontextprotocol/ui": {}}}
    /// ```
    pub fn capabilities(&self) -> &Map<String, Value> {
        &self.capabilities
    }
}
