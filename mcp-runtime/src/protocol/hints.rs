//! Small things that entries and results say about themselves: icons, cache hints, log levels.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Error;

/// An icon of a server, tool, resource or prompt (basic/index, `icons`).
///
/// ```json
/// {"src": "https://example.com/icon.png", "mimeType": "image/png", "sizes": ["48x48"], "theme": "dark"}
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Icon {
    /// An `https:` URL, or a `data:` URI with base64-encoded image data.
    pub src: &'static str,
    /// The image's MIME type, where the server of the image does not say it.
    #[serde(rename = "mimeType", skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<&'static str>,
    /// `"48x48"`, or `"any"` for a scalable format.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub sizes: &'static [&'static str],
    /// `"light"` or `"dark"`: the background that it is drawn for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<&'static str>,
}

impl Icon {
    /// An icon of which only the address is said.
    ///
    /// ```
    /// let icon = mcp_runtime::Icon::new("https://example.com/icon.png");
    /// assert_eq!(icon.theme, None);
    /// ```
    pub const fn new(src: &'static str) -> Self {
        Self { src, mime_type: None, sizes: &[], theme: None }
    }
}

/// How long a client may keep a result, and who may share it (server/utilities/caching).
///
/// ```json
/// {"ttlMs": 60000, "cacheScope": "public"}
/// ```
///
/// ```
/// use std::time::Duration;
/// use mcp_runtime::Cache;
///
/// let for_everyone = Cache::public(Duration::from_secs(60));
/// let never = Cache::private(Duration::ZERO);
/// assert_ne!(for_everyone, never);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    ttl: Duration,
    public: bool,
}

impl Cache {
    /// "Any client, shared gateway, or caching proxy MAY store and serve the cached response to any user."
    pub const fn public(ttl: Duration) -> Self {
        Self { ttl, public: true }
    }

    /// "Cached responses MAY be reused for the same authorization context."
    pub const fn private(ttl: Duration) -> Self {
        Self { ttl, public: false }
    }

    /// The freshness in whole milliseconds (`ttlMs`).
    pub(crate) fn ttl_ms(self) -> u64 {
        u64::try_from(self.ttl.as_millis()).unwrap_or(u64::MAX)
    }

    /// The word on the wire (`cacheScope`).
    pub(crate) fn scope(self) -> &'static str {
        if self.public { "public" } else { "private" }
    }
}

/// The severities of RFC 5424 that the specification names (server/utilities/logging, Log Levels).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// Detailed debugging information.
    Debug,
    /// General informational messages.
    Info,
    /// Normal but significant events.
    Notice,
    /// Warning conditions.
    Warning,
    /// Error conditions.
    Error,
    /// Critical conditions.
    Critical,
    /// Action must be taken immediately.
    Alert,
    /// The system is unusable.
    Emergency,
}

impl LogLevel {
    /// The error for what is none.
    pub(crate) fn invalid(name: &str) -> Error {
        Error::invalid_params(format!(
            "Invalid log level: {name:?} is none of debug, info, notice, warning, error, critical, alert, emergency"
        ))
    }

    /// The level that the wire calls `name`.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "debug" => Self::Debug,
            "info" => Self::Info,
            "notice" => Self::Notice,
            "warning" => Self::Warning,
            "error" => Self::Error,
            "critical" => Self::Critical,
            "alert" => Self::Alert,
            "emergency" => Self::Emergency,
            _ => return None,
        })
    }
}
