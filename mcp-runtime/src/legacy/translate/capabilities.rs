//! What client and server can do.

use serde_json::{Map, Value};

use super::known_of;
use crate::legacy::Revision;

/// The extension whose results no older client can read.
const TASKS: &str = "io.modelcontextprotocol/tasks";

/// The capabilities of a client as the core reads them, without what its revision has not.
///
/// "Known capabilities are defined here, in this schema, but this is not a closed set": what is unknown stays, and so
/// does `extensions`, by which clients of 2025-11-25 already tell of theirs.
pub(crate) fn client_capabilities(
    revision: Revision,
    mut capabilities: Map<String, Value>,
) -> Map<String, Value> {
    // The tasks of 2025-11-25 are not those of 2026-07-28.
    capabilities.shift_remove("tasks");
    if let Some(Value::Object(extensions)) = capabilities.get_mut("extensions") {
        extensions.shift_remove(TASKS);
    }
    if !revision.has_elicitation() {
        capabilities.shift_remove("elicitation");
    }
    if !revision.has_elicitation_modes() {
        // "An empty capabilities object is equivalent to declaring support for `form` mode only." (client/elicitation)
        without_parts(&mut capabilities, "elicitation");
    }
    if !revision.has_sampling_tools() {
        without_parts(&mut capabilities, "sampling");
    }
    capabilities
}

fn without_parts(capabilities: &mut Map<String, Value>, name: &str) {
    if let Some(Value::Object(parts)) = capabilities.get_mut(name) {
        parts.clear();
    }
}

/// The capabilities of the server, as far as this revision has them.
pub(super) fn server_capabilities(revision: Revision, capabilities: &Map<String, Value>) -> Value {
    let known = known_of(capabilities, |name| match name {
        "experimental" | "logging" | "prompts" | "resources" | "tools" => true,
        "completions" => revision.has_completions_capability(),
        _ => false,
    });
    known.into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::legacy::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25};

    #[test]
    fn of_a_client() {
        let declared = json!({
            "experimental": { "x": {} },
            "roots": { "listChanged": true },
            "sampling": { "tools": {}, "context": {} },
            "elicitation": { "url": {} },
            "tasks": { "list": {} },
            "extensions": { "io.modelcontextprotocol/ui": {}, "io.modelcontextprotocol/tasks": {} }
        });
        let old = json!({
            "experimental": { "x": {} },
            "roots": { "listChanged": true },
            "sampling": {},
            "extensions": { "io.modelcontextprotocol/ui": {} }
        });
        let mut forms = old.clone();
        forms["elicitation"] = json!({});
        let mut latest = forms.clone();
        latest["sampling"] = json!({ "tools": {}, "context": {} });
        latest["elicitation"] = json!({ "url": {} });
        for (revision, expected) in
            [(V2025_11_25, latest), (V2025_06_18, forms), (V2025_03_26, old.clone()), (V2024_11_05, old)]
        {
            let capabilities = client_capabilities(revision, declared.as_object().unwrap().clone());
            assert_eq!(Value::Object(capabilities), expected, "{revision}");
        }
    }

    #[test]
    fn what_a_client_declares_as_null_stays_undeclared() {
        let declared = json!({ "elicitation": null, "sampling": null });
        let capabilities = client_capabilities(V2025_06_18, declared.as_object().unwrap().clone());
        assert_eq!(Value::Object(capabilities), declared);
    }

    #[test]
    fn of_the_server() {
        let declared = json!({
            "logging": {},
            "tools": { "listChanged": true },
            "resources": { "subscribe": true, "listChanged": true },
            "prompts": {},
            "completions": {},
            "extensions": { "io.modelcontextprotocol/ui": {} }
        });
        let mut completing = declared.clone();
        completing.as_object_mut().unwrap().shift_remove("extensions");
        let mut oldest = completing.clone();
        oldest.as_object_mut().unwrap().shift_remove("completions");
        for &revision in Revision::ALL {
            let expected = if revision == V2024_11_05 { &oldest } else { &completing };
            assert_eq!(&server_capabilities(revision, declared.as_object().unwrap()), expected, "{revision}");
        }
    }
}
