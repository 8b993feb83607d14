//! How tools can fail, and who gets to know what.

use std::fmt;
use std::io;

use mcp_runtime::Error;
use mcp_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// How to fail.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Failure {
    /// With a text: the model reads it and can try again.
    Text,
    /// With an error of the standard library, by `?`.
    Io,
    /// With an error and what caused it: the model reads the whole chain.
    Chain,
    /// With a JSON-RPC error: for requests that are wrong in themselves.
    Protocol,
    /// With a panic: it is logged, the client gets an internal error, and the server lives on.
    Panic,
}

#[derive(Debug)]
struct NotSaved(io::Error);

impl fmt::Display for NotSaved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the report was not saved")
    }
}

impl std::error::Error for NotSaved {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// Fail in the way that is asked for.
#[tool(read_only)]
fn fail(#[arg(default = Failure::Text)] how: Failure) -> Result<String> {
    match how {
        Failure::Text => Err("the city is not known; send one of Oslo, Paris, Rome".into()),
        Failure::Io => Ok(std::fs::read_to_string("/no/such/file")?),
        Failure::Chain => Err(NotSaved(io::Error::from(io::ErrorKind::StorageFull)).into()),
        Failure::Protocol => Err(Error::new(4001, "the account is closed").into()),
        Failure::Panic => panic!("asked to"),
    }
}
