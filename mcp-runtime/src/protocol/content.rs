//! Content blocks: what tools answer with and prompts are made of (server/tools, Tool Result).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::ResourceContents;

/// Who a message or a block of content is from or for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// Hints on how to use or show a resource or a block of content (server/resources, Annotations).
///
/// ```json
/// {"audience": ["user"], "priority": 0.8, "lastModified": "2025-01-12T15:00:58Z"}
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotations {
    /// Who it is meant for; empty says nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub audience: Vec<Role>,
    /// From 0.0, entirely optional, to 1.0, effectively required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<f64>,
    /// When it was last changed, as an ISO 8601 time stamp.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

/// One block of content.
///
/// ```
/// use mcp_runtime::{Content, Image};
///
/// let blocks: Vec<Content> = vec!["a chart:".into(), Image::png(vec![0x89, 0x50]).into()];
/// assert_eq!(serde_json::to_value(&blocks[0]).unwrap(), serde_json::json!({"type": "text", "text": "a chart:"}));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Content {
    /// Plain text.
    Text {
        /// The text.
        text: String,
        /// Hints for the client.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        annotations: Option<Annotations>,
        /// What the author attaches.
        #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
        meta: Option<Map<String, Value>>,
    },
    /// An image.
    Image(Image),
    /// Audio.
    Audio(Audio),
    /// A link to a resource that the client may read.
    ResourceLink(ResourceLink),
    /// A resource, embedded whole.
    Resource(EmbeddedResource),
}

impl Content {
    /// A block of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into(), annotations: None, meta: None }
    }

    /// The text, where this is a text block.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Adds hints for the client.
    pub fn annotate(mut self, hints: Annotations) -> Self {
        let place = match &mut self {
            Self::Text { annotations, .. } => annotations,
            Self::Image(image) => &mut image.annotations,
            Self::Audio(audio) => &mut audio.annotations,
            Self::ResourceLink(link) => &mut link.annotations,
            Self::Resource(embedded) => &mut embedded.annotations,
        };
        *place = Some(hints);
        self
    }
}

impl<T: Into<String>> From<T> for Content {
    fn from(text: T) -> Self {
        Self::text(text)
    }
}

macro_rules! binary_content {
    ($(#[$doc:meta])* $name:ident, $variant:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            /// The bytes; base64 on the wire.
            #[serde(serialize_with = "as_base64", deserialize_with = "from_base64")]
            pub data: Vec<u8>,
            /// The MIME type.
            pub mime_type: String,
            /// Hints for the client.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub annotations: Option<Annotations>,
            /// What the author attaches.
            #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
            pub meta: Option<Map<String, Value>>,
        }

        impl $name {
            /// Bytes of the given MIME type.
            pub fn new(data: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> Self {
                Self { data: data.into(), mime_type: mime_type.into(), annotations: None, meta: None }
            }
        }

        impl From<$name> for Content {
            fn from(block: $name) -> Self {
                Self::$variant(block)
            }
        }
    };
}

binary_content! {
    /// An image as bytes (server/tools, Image Content).
    ///
    /// ```json
    /// {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
    /// ```
    Image, Image
}

binary_content! {
    /// Audio as bytes (server/tools, Audio Content).
    ///
    /// ```json
    /// {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}
    /// ```
    Audio, Audio
}

impl Image {
    /// A PNG.
    pub fn png(data: impl Into<Vec<u8>>) -> Self {
        Self::new(data, "image/png")
    }

    /// A JPEG.
    pub fn jpeg(data: impl Into<Vec<u8>>) -> Self {
        Self::new(data, "image/jpeg")
    }
}

impl Audio {
    /// A WAV file.
    pub fn wav(data: impl Into<Vec<u8>>) -> Self {
        Self::new(data, "audio/wav")
    }
}

/// A resource that the client may read or subscribe to (server/tools, Resource Links).
///
/// The same shape lists resources: a `list = ..` function of a template returns these.
///
/// ```json
/// {"type": "resource_link", "uri": "file:///src/main.rs", "name": "main.rs", "mimeType": "text/x-rust"}
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceLink {
    /// The address, which `resources/read` takes.
    pub uri: String,
    /// A name for programs and logs.
    pub name: String,
    /// A name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The MIME type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The size of the raw content in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Hints for the client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// What the author attaches.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

impl ResourceLink {
    /// A link whose name is the last segment of its address.
    ///
    /// ```
    /// let link = mcp_runtime::ResourceLink::new("file:///src/main.rs");
    /// assert_eq!(link.name, "main.rs");
    /// ```
    pub fn new(uri: impl Into<String>) -> Self {
        let uri = uri.into();
        let path = uri.split(['?', '#']).next().unwrap_or(&uri);
        let name = path.rsplit('/').find(|segment| !segment.is_empty()).unwrap_or(path).to_owned();
        Self {
            uri,
            name,
            title: None,
            description: None,
            mime_type: None,
            size: None,
            annotations: None,
            meta: None,
        }
    }

    /// Sets the name for programs and logs.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Sets the name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Says what it is.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets the MIME type.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }
}

impl<T: Into<String>> From<T> for ResourceLink {
    fn from(uri: T) -> Self {
        Self::new(uri)
    }
}

impl From<ResourceLink> for Content {
    fn from(link: ResourceLink) -> Self {
        Self::ResourceLink(link)
    }
}

/// A resource, whole, inside a result (server/tools, Embedded Resources).
///
/// ```json
/// {"type": "resource", "resource": {"uri": "file:///a.txt", "mimeType": "text/plain", "text": "a"}}
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EmbeddedResource {
    /// The contents with their address.
    pub resource: ResourceContents,
    /// Hints for the client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// What the author attaches.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

impl EmbeddedResource {
    /// Embeds these contents.
    pub fn new(resource: ResourceContents) -> Self {
        Self { resource, annotations: None, meta: None }
    }
}

impl From<EmbeddedResource> for Content {
    fn from(embedded: EmbeddedResource) -> Self {
        Self::Resource(embedded)
    }
}

impl From<ResourceContents> for Content {
    fn from(resource: ResourceContents) -> Self {
        Self::Resource(EmbeddedResource::new(resource))
    }
}

pub(super) fn as_base64<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&base64::display::Base64Display::new(bytes, &BASE64))
}

pub(super) fn from_base64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(deserializer)?;
    BASE64.decode(text).map_err(serde::de::Error::custom)
}
