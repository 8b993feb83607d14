//! Headers that repeat parts of the body (Request Metadata, Server Validation).
//!
//! "Servers that process the request body MUST reject requests where the values specified in the headers do
//! not match the corresponding values in the request body. This prevents potential security vulnerabilities
//! when different components in the network rely on different sources of truth". What fits is compared in
//! place; only what is encoded is copied.

use std::borrow::Cow;
use std::fmt;

use http::{HeaderMap, HeaderValue};

use super::mirror::{decoded, shortened, text};
use super::params;
use crate::message::Request;
use crate::protocol::{Error, HEADER_MISMATCH};
use crate::registry::Registry;

/// A header, and its name as people write it.
const VERSION: (&str, &str) = ("mcp-protocol-version", "MCP-Protocol-Version");
const METHOD: (&str, &str) = ("mcp-method", "Mcp-Method");

/// Compares the revision that the headers name with that of the body, where both name one: of two, neither can be
/// judged to be spoken.
pub(super) fn check_version(headers: &HeaderMap, request: &Request) -> Result<(), Error> {
    match version(request) {
        Some(_) if headers.contains_key(VERSION.0) => compare_plain(headers, VERSION, version(request)),
        _ => Ok(()),
    }
}

/// Compares the headers of a request with its body.
///
/// Whether the version is spoken was judged before, from the body.
pub(super) fn check(registry: &Registry, headers: &HeaderMap, request: &Request) -> Result<(), Error> {
    let body = &request.text;
    compare_plain(headers, VERSION, version(request))?;
    let method = request.method();
    compare_plain(headers, METHOD, Some(method))?;
    let name = match method {
        "tools/call" | "prompts/get" => &request.params.name,
        "resources/read" => &request.params.uri,
        _ => return Ok(()),
    };
    let name = name.as_ref().map(|name| name.get(body));
    compare_name(headers, name)?;
    match name.filter(|_| method == "tools/call").and_then(|name| registry.tool(name)) {
        Some((_, tool)) if !tool.headers.is_empty() => params::check(&tool.headers, headers, request),
        _ => Ok(()),
    }
}

fn version(request: &Request) -> Option<&str> {
    let version = request.params.meta.as_ref()?.protocol_version.as_ref()?;
    Some(version.get(&request.text))
}

/// A header whose value is always plain.
fn compare_plain(
    headers: &HeaderMap,
    (name, display): (&str, &str),
    expected: Option<&str>,
) -> Result<(), Error> {
    let value = only(headers, name, display)?.ok_or_else(|| missing(display, expected))?;
    let found = text(value).map_err(|fault| malformed(display, value, fault))?;
    if Some(found) == expected { Ok(()) } else { Err(mismatch(display, found, expected)) }
}

/// "Servers MUST decode an encoded `Mcp-Name` […] value before comparing it".
fn compare_name(headers: &HeaderMap, expected: Option<&str>) -> Result<(), Error> {
    let display = "Mcp-Name";
    let value = only(headers, "mcp-name", display)?.ok_or_else(|| missing(display, expected))?;
    let found = decoded(value).map_err(|fault| malformed(display, value, fault))?;
    if Some(&*found) == expected { Ok(()) } else { Err(mismatch(display, &found, expected)) }
}

/// The value of a header; two of them are two truths.
pub(super) fn only<'h>(
    headers: &'h HeaderMap,
    name: &str,
    display: &str,
) -> Result<Option<&'h HeaderValue>, Error> {
    let mut values = headers.get_all(name).iter();
    let value = values.next();
    if values.next().is_some() {
        return Err(fault(format_args!("the {display} header is given more than once")));
    }
    Ok(value)
}

/// ```json
/// {"code": -32020,
///  "message": "Header mismatch: Mcp-Name header value 'foo' does not match body value 'bar'"}
/// ```
pub(super) fn mismatch(display: &str, found: &str, expected: Option<&str>) -> Error {
    let found = shortened(Cow::Borrowed(found));
    match expected {
        Some(expected) => {
            let expected = shortened(Cow::Borrowed(expected));
            fault(format_args!("{display} header value '{found}' does not match body value '{expected}'"))
        }
        None => fault(format_args!("{display} header value '{found}' has no value in the body to match")),
    }
}

pub(super) fn missing(display: &str, expected: Option<&str>) -> Error {
    match expected {
        Some(expected) => {
            let expected = shortened(Cow::Borrowed(expected));
            fault(format_args!("the {display} header is missing; the body value is '{expected}'"))
        }
        None => fault(format_args!("the {display} header is missing, and so is its value in the body")),
    }
}

pub(super) fn malformed(display: &str, value: &HeaderValue, why: &str) -> Error {
    let found = shortened(String::from_utf8_lossy(value.as_bytes()));
    fault(format_args!("{display} header value '{found}' {why}"))
}

#[cold]
pub(super) fn fault(what: fmt::Arguments<'_>) -> Error {
    Error::new(HEADER_MISMATCH, format!("Header mismatch: {what}"))
}
