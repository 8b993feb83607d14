//! What users of other servers and SDKs reported, tried on this one.
//!
//! Each test is named after what was reported and gives the report as `repository#number`. The right behaviour is
//! the specification's (revision 2026-07-28), and where that leaves a choice, what real clients accept.

#![allow(clippy::needless_pass_by_value, reason = "the tools take what a model sends")]

mod arguments;
mod messages;
mod notifications;
mod prompts;
mod resources;
mod results;
mod schemas;

use mcp_runtime::Error;
use serde_json::Value;

/// The text of a whole request, with the metadata that every request needs, and with an id that may be anything.
fn request(id: &str, method: &str, params: Value) -> String {
    let request = mcp_tests::request("ID", method, params);
    request.to_string().replacen(r#""ID""#, id, 1)
}

/// The code of an error, and that there is one.
fn code<T: std::fmt::Debug>(outcome: Result<T, Error>) -> i32 {
    outcome.expect_err("this is refused").code()
}
