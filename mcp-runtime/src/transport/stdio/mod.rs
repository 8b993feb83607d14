//! Newline-delimited JSON-RPC over the standard streams (basic/transports/stdio).
