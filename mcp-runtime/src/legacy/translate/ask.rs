//! Requests to the client, and its answers.

use serde_json::{Map, Value};

use super::conversation::conversation;
use super::form::form;
use crate::legacy::Revision;

/// The parameters of a request to the client, as this revision writes them.
///
/// `elicitation_id` names an elicitation that sends the person to a page; 2025-11-25 has a notification of its end.
///
/// # Errors
///
/// A sentence on what this revision cannot ask for.
pub(crate) fn ask(
    revision: Revision,
    method: &str,
    params: Option<Value>,
    elicitation_id: impl FnOnce() -> String,
) -> Result<Option<Value>, String> {
    match (method, params) {
        ("elicitation/create", Some(Value::Object(params))) => {
            elicit(revision, params, elicitation_id).map(Value::Object).map(Some)
        }
        ("sampling/createMessage", Some(Value::Object(params))) => {
            conversation(revision, params).map(Value::Object).map(Some)
        }
        (_, params) => Ok(params),
    }
}

/// `ElicitRequestFormParams` and `ElicitRequestURLParams`.
fn elicit(
    revision: Revision,
    mut params: Map<String, Value>,
    id: impl FnOnce() -> String,
) -> Result<Map<String, Value>, String> {
    if !revision.has_elicitation() {
        return Err(format!("revision {revision} cannot ask the person: it has no elicitation"));
    }
    let to_a_page = params.get("mode").is_some_and(|mode| mode == "url");
    match (to_a_page, revision.has_elicitation_modes()) {
        (true, true) => {
            params.insert("elicitationId".to_owned(), id().into());
        }
        (true, false) => {
            return Err(format!(
                "revision {revision} cannot send the person to a page: its elicitation has no URL mode"
            ));
        }
        (false, true) => {}
        (false, false) => {
            params.shift_remove("mode");
            if let Some(schema) = params.get_mut("requestedSchema") {
                *schema = form(revision, schema)?;
            }
        }
    }
    Ok(params)
}

/// The client's answer to such a request, as the core reads it.
///
/// The older revisions differ in what they can be asked, not in how they answer: what one of them lacks (modes,
/// several blocks) is optional in the next.
pub(crate) fn asked_answer(_: Revision, method: &str, mut result: Value) -> Value {
    // Since 2026-07-28, these two are no results, but members of one request; a model's answer has kept its own.
    if matches!(method, "elicitation/create" | "roots/list")
        && let Value::Object(members) = &mut result
    {
        members.shift_remove("_meta");
    }
    result
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::legacy::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25};

    fn asked(revision: Revision, method: &str, params: &Value) -> Result<Value, String> {
        ask(revision, method, Some(params.clone()), || "e-1".to_owned()).map(Option::unwrap)
    }

    #[test]
    fn a_form() {
        let schema = json!({
            "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"]
        });
        let params = json!({ "mode": "form", "message": "Who?", "requestedSchema": schema });
        for (revision, expected) in [
            (V2025_11_25, Ok(params.clone())),
            (V2025_06_18, Ok(json!({ "message": "Who?", "requestedSchema": schema }))),
            (V2025_03_26, Err("revision 2025-03-26 cannot ask the person: it has no elicitation".to_owned())),
            (V2024_11_05, Err("revision 2024-11-05 cannot ask the person: it has no elicitation".to_owned())),
        ] {
            assert_eq!(asked(revision, "elicitation/create", &params), expected);
        }
    }

    #[test]
    fn a_page() {
        let params = json!({ "mode": "url", "message": "Pay.", "url": "https://example.com/pay" });
        let with_id = json!({ "mode": "url", "message": "Pay.", "url": "https://example.com/pay", "elicitationId": "e-1" });
        assert_eq!(asked(V2025_11_25, "elicitation/create", &params), Ok(with_id));
        assert_eq!(
            asked(V2025_06_18, "elicitation/create", &params).unwrap_err(),
            "revision 2025-06-18 cannot send the person to a page: its elicitation has no URL mode"
        );
    }

    #[test]
    fn folders_are_asked_for_in_all() {
        for &revision in Revision::ALL {
            assert_eq!(ask(revision, "roots/list", None, || unreachable!()), Ok(None));
        }
    }

    #[test]
    fn answers() {
        for &revision in Revision::ALL {
            for (method, answer, read) in [
                (
                    "elicitation/create",
                    json!({ "action": "accept", "content": { "a": 1 }, "_meta": { "k": 1 } }),
                    json!({ "action": "accept", "content": { "a": 1 } }),
                ),
                (
                    "roots/list",
                    json!({ "roots": [{ "uri": "file:///a", "_meta": { "k": 1 } }], "_meta": {} }),
                    json!({ "roots": [{ "uri": "file:///a", "_meta": { "k": 1 } }] }),
                ),
                (
                    "sampling/createMessage",
                    json!({ "role": "assistant", "content": { "type": "text", "text": "a" }, "model": "m" }),
                    json!({ "role": "assistant", "content": { "type": "text", "text": "a" }, "model": "m" }),
                ),
            ] {
                assert_eq!(asked_answer(revision, method, answer), read);
            }
        }
    }
}
