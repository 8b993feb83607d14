//! What reading a resource gives (server/resources, Resource Contents).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::content::{as_base64, from_base64};

/// The contents of one resource, as text or as bytes.
///
/// ```json
/// {"uri": "file:///example.txt", "mimeType": "text/plain", "text": "Resource content"}
/// ```
///
/// ```
/// use mcp_runtime::ResourceContents;
///
/// let logo = ResourceContents::bytes("app://logo", vec![1, 2, 3]).mime_type("image/png");
/// assert_eq!(serde_json::to_value(&logo).unwrap()["blob"], "AQID");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceContents {
    /// The address; empty stands for the one that is being read.
    pub uri: String,
    /// The MIME type; where it is missing, the one that the resource declares applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Text or bytes.
    #[serde(flatten)]
    pub body: ResourceBody,
    /// What the author attaches.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

/// Text or bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ResourceBody {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// Bytes; base64 on the wire.
    Blob {
        /// The bytes.
        #[serde(serialize_with = "as_base64", deserialize_with = "from_base64")]
        blob: Vec<u8>,
    },
}

impl ResourceContents {
    /// Text at the given address.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self { uri: uri.into(), mime_type: None, body: ResourceBody::Text { text: text.into() }, meta: None }
    }

    /// Bytes at the given address.
    pub fn bytes(uri: impl Into<String>, blob: impl Into<Vec<u8>>) -> Self {
        Self { uri: uri.into(), mime_type: None, body: ResourceBody::Blob { blob: blob.into() }, meta: None }
    }

    /// Sets the MIME type.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }
}
