//! The JSON that lists an entry, serialized once.

use serde_json::{Map, Value, json};

use super::{About, Faults, Plan, PromptEntry, ResourceEntry, ToolEntry};
use crate::schema::merge::{add_property, merge_into_root};

/// `Tool` (server/tools, Data Types).
pub(super) fn tool(entry: &ToolEntry, plan: &Plan, input_schema: &Value) -> Vec<u8> {
    let mut tool = named(&entry.about);
    tool.insert("inputSchema".to_owned(), input_schema.clone());
    if let Some(output) = &plan.output {
        tool.insert("outputSchema".to_owned(), output.schema.clone());
    }
    let mut hints = Map::new();
    for (key, hint) in [
        ("readOnlyHint", entry.hints.read_only),
        ("destructiveHint", entry.hints.destructive),
        ("idempotentHint", entry.hints.idempotent),
        ("openWorldHint", entry.hints.open_world),
    ] {
        if let Some(hint) = hint {
            hints.insert(key.to_owned(), hint.into());
        }
    }
    if !hints.is_empty() {
        tool.insert("annotations".to_owned(), hints.into());
    }
    finish(tool, &entry.about)
}

/// The schema of a tool's arguments: the parameters' schemas as properties of one object.
///
/// "For tools with no parameters […] `{ "type": "object", "additionalProperties": false }` - Recommended"
/// (server/tools, Tool). The empty `properties` say no more, but model APIs refuse every tool of a request in
/// which one object schema has none.
pub(super) fn input_schema(entry: &ToolEntry, plan: &Plan, faults: &mut Faults) -> Value {
    if let Some(by_hand) = entry.input_schema {
        return by_hand();
    }
    let mut root = Map::new();
    root.insert("type".to_owned(), "object".into());
    root.insert("properties".to_owned(), json!({}));
    for plan in plan.params.iter().filter(|plan| plan.is_argument) {
        if !plan.param.flatten {
            add_property(&mut root, plan.param.name, plan.schema.clone(), plan.required);
        } else if let Err(fault) = merge_into_root(&mut root, &plan.schema) {
            faults.at(&entry.about, format!("cannot flatten `{}`: {fault}", plan.param.name));
        }
    }
    let is_empty = root["properties"].as_object().is_some_and(Map::is_empty);
    if entry.strict || is_empty && !root.contains_key("additionalProperties") {
        root.insert("additionalProperties".to_owned(), false.into());
    }
    root.into()
}

/// `Resource` and `ResourceTemplate` (server/resources, Data Types).
pub(super) fn resource(entry: &ResourceEntry, uri_key: &'static str) -> Vec<u8> {
    let mut resource = Map::new();
    resource.insert(uri_key.to_owned(), entry.uri.into());
    resource.append(&mut named(&entry.about));
    if let Some(mime) = entry.mime {
        resource.insert("mimeType".to_owned(), mime.into());
    }
    if let Some(size) = entry.size {
        resource.insert("size".to_owned(), size.into());
    }
    let mut annotations = Map::new();
    if !entry.audience.is_empty() {
        annotations.insert("audience".to_owned(), json!(entry.audience));
    }
    if let Some(priority) = entry.priority {
        annotations.insert("priority".to_owned(), json!(priority));
    }
    if !annotations.is_empty() {
        resource.insert("annotations".to_owned(), annotations.into());
    }
    finish(resource, &entry.about)
}

/// `Prompt` (server/prompts, Data Types).
pub(super) fn prompt(entry: &PromptEntry, plan: &Plan) -> Vec<u8> {
    let mut prompt = named(&entry.about);
    let arguments: Vec<Value> = plan
        .params
        .iter()
        .filter(|plan| plan.is_argument)
        .map(|plan| {
            let mut argument = Map::new();
            argument.insert("name".to_owned(), plan.param.name.into());
            if let Some(description) = plan.schema.get("description") {
                argument.insert("description".to_owned(), description.clone());
            }
            argument.insert("required".to_owned(), plan.required.into());
            argument.into()
        })
        .collect();
    if !arguments.is_empty() {
        prompt.insert("arguments".to_owned(), arguments.into());
    }
    finish(prompt, &entry.about)
}

fn named(about: &About) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("name".to_owned(), about.name.into());
    if let Some(title) = about.title {
        map.insert("title".to_owned(), title.into());
    }
    if let Some(description) = about.description {
        map.insert("description".to_owned(), description.into());
    }
    map
}

fn finish(mut map: Map<String, Value>, about: &About) -> Vec<u8> {
    if !about.icons.is_empty() {
        map.insert("icons".to_owned(), json!(about.icons));
    }
    if let Some(meta) = about.meta {
        map.insert("_meta".to_owned(), serde_json::from_str(meta).unwrap_or_default());
    }
    Value::Object(map).to_string().into_bytes()
}
