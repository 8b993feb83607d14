//! Protocol errors: the specification's codes, and the type that carries them.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

/// "Parse error": the message is not JSON.
pub(crate) const PARSE_ERROR: i32 = -32700;
/// "Invalid Request": the message is JSON, but not a JSON-RPC request.
pub(crate) const INVALID_REQUEST: i32 = -32600;
/// "Method not found".
pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
/// "Invalid params": also unknown tools, prompts and resources.
pub(crate) const INVALID_PARAMS: i32 = -32602;
/// "Internal error".
pub(crate) const INTERNAL_ERROR: i32 = -32603;
/// `HeaderMismatch` (basic/index, Error Codes).
#[cfg(feature = "http")]
pub(crate) const HEADER_MISMATCH: i32 = -32020;
/// `MissingRequiredClientCapability` (basic/index, Error Codes).
pub(crate) const MISSING_REQUIRED_CLIENT_CAPABILITY: i32 = -32021;
/// `UnsupportedProtocolVersion` (basic/index, Error Codes).
pub(crate) const UNSUPPORTED_PROTOCOL_VERSION: i32 = -32022;

/// What handlers return: any error that `?` can turn into a boxed [`std::error::Error`].
///
/// A tool's error becomes a tool result with `isError: true`, with its whole source chain as text, so that
/// the model can correct itself; an [`Error`] inside the box becomes a JSON-RPC error instead.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Halve an even number.
/// #[tool]
/// fn halve(n: i64) -> Result<i64> {
///     if n % 2 != 0 {
///         return Err(format!("{n} is odd; send an even number").into());
///     }
///     Ok(n / 2)
/// }
/// ```
pub type Result<T, E = Box<dyn std::error::Error + Send + Sync>> = std::result::Result<T, E>;

/// A JSON-RPC error, as the client sees it.
///
/// ```json
/// {"code": -32602, "message": "Resource not found", "data": {"uri": "file:///nonexistent.txt"}}
/// ```
///
/// Handlers return it where the request itself is wrong; what a model could mend is better told as an
/// ordinary error, which becomes a tool result with `isError: true`.
///
/// ```
/// use mcp_runtime::Error;
///
/// let error = Error::resource_not_found("file:///nonexistent.txt");
/// assert_eq!(error.code(), -32602);
/// ```
#[derive(Clone, PartialEq)]
pub struct Error {
    says: Says,
}

/// What an [`Error`] says, which is also its cause: a box that hides the type of what it holds, as that of
/// `anyhow::Error` does, still passes on the cause.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Says {
    code: i32,
    message: Cow<'static, str>,
    data: Option<Box<Value>>,
}

impl Error {
    /// An error with a code of the application's own.
    ///
    /// "New error codes for purposes not defined by this specification SHOULD be allocated outside the
    /// JSON-RPC reserved range (`-32768` to `-32000`)." (basic/index, Error Codes)
    pub fn new(code: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self { says: Says { code, message: message.into(), data: None } }
    }

    /// `-32602`: the request's parameters are wrong in a way that only the client's author can mend.
    pub fn invalid_params(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(INVALID_PARAMS, message)
    }

    /// `-32603`: the server failed, and the client can do nothing about it.
    pub fn internal(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(INTERNAL_ERROR, message)
    }

    /// "If the requested resource does not exist, servers MUST return a JSON-RPC error with code `-32602`."
    /// (server/resources, Error Handling)
    pub fn resource_not_found(uri: impl Into<String>) -> Self {
        Self::invalid_params("Resource not found").with_data(serde_json::json!({ "uri": uri.into() }))
    }

    /// `-32021`: the request needs a capability that the client did not declare.
    ///
    /// "`data.requiredCapabilities` lists the missing capabilities." (basic/index, `_meta`)
    pub fn missing_capability(required: Value) -> Self {
        Self::new(MISSING_REQUIRED_CLIENT_CAPABILITY, "Missing required client capability")
            .with_data(serde_json::json!({ "requiredCapabilities": required }))
    }

    /// Adds the `data` member.
    pub fn with_data(mut self, data: Value) -> Self {
        self.says.data = Some(Box::new(data));
        self
    }

    /// The JSON-RPC error code.
    pub fn code(&self) -> i32 {
        self.says.code
    }

    /// The sentence that the client shows.
    pub fn message(&self) -> &str {
        &self.says.message
    }

    /// The `data` member, if there is one.
    pub fn data(&self) -> Option<&Value> {
        self.says.data.as_deref()
    }

    /// The protocol error that this error is, whatever hides its type.
    pub(crate) fn of(error: &(dyn std::error::Error + 'static)) -> Option<Self> {
        let says = error.downcast_ref::<Says>().cloned().map(|says| Self { says });
        says.or_else(|| error.downcast_ref::<Self>().cloned())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Says { code, message, data } = &self.says;
        f.debug_struct("Error").field("code", code).field("message", message).field("data", data).finish()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.says.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.says)
    }
}

impl fmt::Display for Says {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JSON-RPC error {}", self.code)
    }
}

impl std::error::Error for Says {}

impl serde::Serialize for Error {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", &self.says.code)?;
        map.serialize_entry("message", &self.says.message)?;
        if let Some(data) = &self.says.data {
            map.serialize_entry("data", data)?;
        }
        map.end()
    }
}
