//! Framings around the one dispatcher.

#[cfg(feature = "http")]
pub(crate) mod http;
#[cfg(any(feature = "http", feature = "stdio"))]
pub(crate) mod signal;
#[cfg(feature = "stdio")]
pub(crate) mod stdio;
