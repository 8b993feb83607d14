//! The protocol's own types, in its own words.

mod content;
mod error;
mod hints;
mod method;
mod prompt;
mod resource;
mod version;

pub use content::{Annotations, Audio, Content, EmbeddedResource, Image, ResourceLink, Role};
pub(crate) use error::Says;
pub use error::{Error, Result};
#[cfg(feature = "http")]
pub(crate) use error::{HEADER_MISMATCH, INTERNAL_ERROR};
pub(crate) use error::{
    INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, MISSING_REQUIRED_CLIENT_CAPABILITY, PARSE_ERROR,
    UNSUPPORTED_PROTOCOL_VERSION,
};
pub use hints::{Cache, Icon, LogLevel};
pub(crate) use method::Method;
pub use prompt::{Message, PromptResult};
pub use resource::{ResourceBody, ResourceContents};
pub(crate) use version::{MODERN_VERSIONS, ProtocolVersion};
