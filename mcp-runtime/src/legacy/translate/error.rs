//! Errors.

use serde_json::{Map, Value};

use super::members::{Opened, as_json};
use super::replace;
use crate::legacy::Revision;
use crate::protocol::{INVALID_PARAMS, INVALID_REQUEST, MISSING_REQUIRED_CLIENT_CAPABILITY};

/// "Resource not found (2025-11-25 and earlier; replaced by `-32602`)." (basic/index, Error Codes)
const RESOURCE_NOT_FOUND: i32 = -32002;

/// An answer with an `error` of this code.
pub(super) fn error(revision: Revision, method: &str, code: i32, bytes: Vec<u8>) -> Vec<u8> {
    match (code, method) {
        (INVALID_PARAMS, "resources/read" | "resources/subscribe") => replace(bytes, not_found),
        (MISSING_REQUIRED_CLIENT_CAPABILITY, _) => replace(bytes, |text| missing(revision, text)),
        _ => bytes,
    }
}

/// `-32602` about an address is `-32002`; about anything else, it is what it is.
fn not_found(text: &str) -> serde_json::Result<Option<Vec<u8>>> {
    let mut answer = Opened::parse(text, "error")?;
    let data: Option<Value> = answer.inside.get("data").map(serde_json::from_str).transpose()?;
    if !data.is_some_and(|data| data["uri"].is_string()) {
        return Ok(None);
    }
    answer.inside.set("code", RESOURCE_NOT_FOUND.to_string());
    Ok(Some(answer.into_line(text)))
}

/// `-32021` is of 2026-07-28. Clients before show the sentence, so that it says what is missing.
fn missing(revision: Revision, text: &str) -> serde_json::Result<Option<Vec<u8>>> {
    let mut answer = Opened::parse(text, "error")?;
    let data: Value = answer.inside.get("data").map(serde_json::from_str).transpose()?.unwrap_or_default();
    let message: String =
        answer.inside.get("message").map(serde_json::from_str).transpose()?.unwrap_or_default();
    answer.inside.set("code", INVALID_REQUEST.to_string());
    if let Some(required) = data["requiredCapabilities"].as_object().filter(|map| !map.is_empty()) {
        let names = names(revision, required);
        answer.inside.set("message", as_json(&format!("{message}: {names}")));
    }
    Ok(Some(answer.into_line(text)))
}

/// `elicitation.url, sampling`.
fn names(revision: Revision, required: &Map<String, Value>) -> String {
    let mut names = Vec::new();
    for (capability, parts) in required {
        match parts.as_object().filter(|parts| !parts.is_empty()) {
            Some(parts) => names.extend(parts.keys().map(|part| named(revision, capability, Some(part)))),
            None => names.push(named(revision, capability, None)),
        }
    }
    names.join(", ")
}

/// A capability as this revision's clients declare it, if they can.
fn named(revision: Revision, capability: &str, part: Option<&str>) -> String {
    let known = match (capability, part) {
        ("roots" | "experimental", _) | ("sampling", None) => true,
        ("sampling", Some(_)) => revision.has_sampling_tools(),
        ("elicitation", Some("url")) => revision.has_elicitation_modes(),
        // What the forms are called in which there is nothing else.
        ("elicitation", Some("form")) if revision.has_elicitation() && !revision.has_elicitation_modes() => {
            return capability.to_owned();
        }
        ("elicitation", _) => revision.has_elicitation(),
        _ => false,
    };
    let name = part.map_or_else(|| capability.to_owned(), |part| format!("{capability}.{part}"));
    if known { name } else { format!("{name} (which revision {revision} does not have)") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::answer;
    use super::*;
    use crate::legacy::Revision::{V2024_11_05, V2025_06_18, V2025_11_25};
    use crate::output::error_response;
    use crate::protocol::Error;

    #[track_caller]
    fn translated(revision: Revision, method: &str, error: &Error) -> Value {
        let bytes = error_response(Some("7"), error);
        let line = answer(revision, method, bytes, Some(error.code()));
        let answer: Value = serde_json::from_slice(&line).unwrap();
        assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(7)));
        answer["error"].clone()
    }

    #[test]
    fn a_resource_that_is_not_there() {
        let error = Error::resource_not_found("file:///nonexistent.txt");
        for &revision in Revision::ALL {
            for method in ["resources/read", "resources/subscribe"] {
                assert_eq!(
                    translated(revision, method, &error),
                    json!({
                        "code": -32002,
                        "message": "Resource not found",
                        "data": { "uri": "file:///nonexistent.txt" }
                    })
                );
            }
            assert_eq!(translated(revision, "tools/call", &error), json!(error));
        }
    }

    #[test]
    fn other_errors_stay() {
        for error in [
            Error::invalid_params("Invalid params: `params.uri` is missing"),
            Error::invalid_params("no").with_data(json!({ "uri": 5 })),
            Error::internal("no").with_data(json!({ "uri": "a:b" })),
            Error::new(-32601, "Method not found"),
            Error::new(1, "of the author's own"),
        ] {
            assert_eq!(translated(V2025_11_25, "resources/read", &error), json!(error));
        }
    }

    #[test]
    fn a_missing_capability_is_named() {
        for (revision, required, named) in [
            (V2025_11_25, json!({ "elicitation": { "url": {} } }), "elicitation.url"),
            (V2025_11_25, json!({ "elicitation": { "form": {} } }), "elicitation.form"),
            (V2025_11_25, json!({ "sampling": { "tools": {} }, "roots": {} }), "sampling.tools, roots"),
            (V2025_06_18, json!({ "elicitation": { "form": {} } }), "elicitation"),
            (
                V2025_06_18,
                json!({ "elicitation": { "url": {} } }),
                "elicitation.url (which revision 2025-06-18 does not have)",
            ),
            (V2024_11_05, json!({ "sampling": {} }), "sampling"),
            (
                V2024_11_05,
                json!({ "elicitation": { "form": {} } }),
                "elicitation.form (which revision 2024-11-05 does not have)",
            ),
        ] {
            assert_eq!(
                translated(revision, "tools/call", &Error::missing_capability(required.clone())),
                json!({
                    "code": -32600,
                    "message": format!("Missing required client capability: {named}"),
                    "data": { "requiredCapabilities": required }
                })
            );
        }
    }
}
