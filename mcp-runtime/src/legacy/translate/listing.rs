//! Items of lists: tools, resources, resource templates and prompts.

use serde_json::{Map, Value, json};

use super::content::{annotated, drop_item_meta};
use crate::legacy::Revision;
use crate::schema::header::drop_headers;

/// `Tool`.
pub(super) fn tool(revision: Revision, tool: &mut Value) {
    let Value::Object(members) = tool else { return };
    named(revision, members);
    if !revision.has_tool_annotations() {
        members.shift_remove("annotations");
    }
    // "Currently restricted to type: "object" at the root level." (2025-11-25, schema)
    let described = |schema: &Value| revision.has_structured_content() && schema["type"] == "object";
    if members.get("outputSchema").is_some_and(|schema| !described(schema)) {
        members.shift_remove("outputSchema");
    }
    for key in ["inputSchema", "outputSchema"] {
        if let Some(schema) = members.get_mut(key) {
            drop_headers(schema);
            no_boolean_properties(schema);
        }
    }
}

/// `Resource` and `ResourceTemplate`.
pub(super) fn resource(revision: Revision, resource: &mut Value) {
    let Value::Object(members) = resource else { return };
    named(revision, members);
    annotated(revision, members);
}

/// `Prompt`.
pub(super) fn prompt(revision: Revision, prompt: &mut Value) {
    let Value::Object(members) = prompt else { return };
    named(revision, members);
    if revision.has_titles() {
        return;
    }
    for argument in members.get_mut("arguments").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Value::Object(argument) = argument {
            argument.shift_remove("title");
        }
    }
}

/// What has a name, and can have a title, icons and `_meta`.
fn named(revision: Revision, members: &mut Map<String, Value>) {
    drop_item_meta(revision, members);
    if !revision.has_titles() {
        members.shift_remove("title");
    }
    if !revision.has_icons() {
        members.shift_remove("icons");
    }
}

/// The older revisions take a schema under `properties` for an object: `true` is said as `{}`.
fn no_boolean_properties(schema: &mut Value) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(Map::values_mut) {
        match property {
            Value::Bool(true) => *property = json!({}),
            Value::Bool(false) => *property = json!({ "not": {} }),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::legacy::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25};

    #[track_caller]
    fn check(translate: fn(Revision, &mut Value), before: &Value, table: [(Revision, Value); 4]) {
        for (revision, after) in table {
            let mut translated = before.clone();
            translate(revision, &mut translated);
            assert_eq!(translated.to_string(), after.to_string(), "{revision}");
        }
    }

    #[test]
    fn tools() {
        let input = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
        let output = json!({ "type": "object", "properties": {} });
        let hints = json!({ "readOnlyHint": true });
        let before = json!({
            "name": "n", "title": "N", "description": "d",
            "inputSchema": { "type": "object", "properties": { "a": { "type": "string", "x-mcp-header": "A" } } },
            "outputSchema": output, "annotations": hints, "icons": [{ "src": "a:b" }], "_meta": { "k": 1 }
        });
        check(
            tool,
            &before,
            [
                (
                    V2025_11_25,
                    json!({
                        "name": "n", "title": "N", "description": "d", "inputSchema": input,
                        "outputSchema": output, "annotations": hints, "icons": [{ "src": "a:b" }], "_meta": { "k": 1 }
                    }),
                ),
                (
                    V2025_06_18,
                    json!({
                        "name": "n", "title": "N", "description": "d", "inputSchema": input,
                        "outputSchema": output, "annotations": hints, "_meta": { "k": 1 }
                    }),
                ),
                (
                    V2025_03_26,
                    json!({ "name": "n", "description": "d", "inputSchema": input, "annotations": hints }),
                ),
                (V2024_11_05, json!({ "name": "n", "description": "d", "inputSchema": input })),
            ],
        );
    }

    #[test]
    fn an_output_schema_is_one_of_an_object() {
        for schema in [
            json!({ "type": "array" }),
            json!({ "type": ["object", "null"] }),
            json!({ "anyOf": [{ "type": "object" }, { "type": "null" }] }),
            json!({}),
        ] {
            for &revision in Revision::ALL {
                let mut listed =
                    json!({ "name": "n", "inputSchema": { "type": "object" }, "outputSchema": schema });
                tool(revision, &mut listed);
                assert_eq!(listed, json!({ "name": "n", "inputSchema": { "type": "object" } }));
            }
        }
    }

    #[test]
    fn properties_are_described_by_objects() {
        let mut listed = json!({
            "name": "n",
            "inputSchema": { "type": "object", "properties": { "any": true, "none": false } }
        });
        tool(V2025_11_25, &mut listed);
        assert_eq!(listed["inputSchema"]["properties"], json!({ "any": {}, "none": { "not": {} } }));
    }

    #[test]
    fn resources() {
        let before = json!({
            "uri": "a:b", "name": "b", "title": "B", "description": "d", "mimeType": "text/plain", "size": 3,
            "annotations": { "audience": ["user"], "lastModified": "x" }, "icons": [], "_meta": { "k": 1 }
        });
        let old = json!({
            "uri": "a:b", "name": "b", "description": "d", "mimeType": "text/plain", "size": 3,
            "annotations": { "audience": ["user"] }
        });
        check(
            resource,
            &before,
            [
                (V2025_11_25, before.clone()),
                (
                    V2025_06_18,
                    json!({
                        "uri": "a:b", "name": "b", "title": "B", "description": "d", "mimeType": "text/plain",
                        "size": 3, "annotations": { "audience": ["user"], "lastModified": "x" }, "_meta": { "k": 1 }
                    }),
                ),
                (V2025_03_26, old.clone()),
                (V2024_11_05, old),
            ],
        );
    }

    #[test]
    fn prompts() {
        let arguments = json!([{ "name": "a", "title": "A", "required": true }]);
        let before = json!({ "name": "n", "title": "N", "arguments": arguments, "icons": [] });
        let old = json!({ "name": "n", "arguments": [{ "name": "a", "required": true }] });
        check(
            prompt,
            &before,
            [
                (V2025_11_25, before.clone()),
                (V2025_06_18, json!({ "name": "n", "title": "N", "arguments": arguments })),
                (V2025_03_26, old.clone()),
                (V2024_11_05, old),
            ],
        );
    }
}
