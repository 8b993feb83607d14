//! What the core writes, as an older revision writes it, and the answers of such a client as the core reads them.
//!
//! Pure functions from JSON to JSON: no field of one revision gets into a message of another.

mod ask;
mod capabilities;
mod content;
mod conversation;
mod error;
mod form;
mod initialize;
mod listing;
mod members;
mod notification;
mod result;

pub(crate) use ask::{ask, asked_answer};
pub(crate) use capabilities::client_capabilities;
pub(crate) use initialize::initialize_result;
pub(crate) use notification::notification;

use serde_json::{Map, Value};

use crate::legacy::Revision;
use crate::output::on_one_line;

/// The keys of `_meta` that a revision reserves for itself.
const RESERVED: &str = "io.modelcontextprotocol/";

/// The core's answer to one request, one line with a `result` or an `error`, as this revision writes it.
///
/// `error` is the code, where the answer is an error.
pub(crate) fn answer(revision: Revision, method: &str, bytes: Vec<u8>, error: Option<i32>) -> Vec<u8> {
    match error {
        Some(code) => error::error(revision, method, code, bytes),
        None => replace(bytes, |text| result::result(revision, method, text).map(Some)),
    }
}

/// The members that a revision knows.
fn known_of(members: &Map<String, Value>, is_known: impl Fn(&str) -> bool) -> Map<String, Value> {
    let known = members.iter().filter(|(name, _)| is_known(name));
    known.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Puts what `translate` makes of a message in its place; `None` leaves it as it is.
fn replace(bytes: Vec<u8>, translate: impl FnOnce(&str) -> serde_json::Result<Option<Vec<u8>>>) -> Vec<u8> {
    let text = str::from_utf8(&bytes).map_err(serde::de::Error::custom);
    match text.and_then(translate) {
        Ok(Some(line)) => on_one_line(line),
        Ok(None) => bytes,
        Err(error) => {
            tracing::error!("a message of the server's own could not be translated: {error}");
            bytes
        }
    }
}
