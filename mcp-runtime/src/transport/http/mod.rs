//! Streamable HTTP (basic/transports/streamable-http).

/// What an author sets of the HTTP transport.
#[derive(Clone, Debug, Default)]
pub(crate) struct HttpOptions {}
