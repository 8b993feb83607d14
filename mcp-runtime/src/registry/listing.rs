//! The JSON that lists an entry, serialized once.

use serde_json::{Map, Value, json};

use super::{Facts, Faults, Hints, Label, ParamPlan, Plan};
use crate::schema::merge::{add_property, merge_into_root};

/// `Tool` (server/tools, Data Types).
pub(crate) fn tool(hints: &Hints, plan: &Plan, input_schema: &Value) -> Vec<u8> {
    let mut tool = named(&plan.about);
    tool.insert("inputSchema".to_owned(), input_schema.clone());
    if let Some(output) = &plan.output {
        tool.insert("outputSchema".to_owned(), output.schema.clone());
    }
    let mut annotations = Map::new();
    for (key, hint) in [
        ("readOnlyHint", hints.read_only),
        ("destructiveHint", hints.destructive),
        ("idempotentHint", hints.idempotent),
        ("openWorldHint", hints.open_world),
    ] {
        if let Some(hint) = hint {
            annotations.insert(key.to_owned(), hint.into());
        }
    }
    if !annotations.is_empty() {
        tool.insert("annotations".to_owned(), annotations.into());
    }
    finish(tool, &plan.about)
}

/// The schema of a tool's arguments: the parameters' schemas as properties of one object.
///
/// "For tools with no parameters […] `{ "type": "object", "additionalProperties": false }` - Recommended"
/// (server/tools, Tool). The empty `properties` say no more, but model APIs refuse every tool of a request in
/// which one object schema has none.
pub(crate) fn input_schema<'a>(
    about: &Label,
    params: impl IntoIterator<Item = &'a ParamPlan>,
    strict: bool,
    faults: &mut Faults,
) -> Value {
    let mut root = Map::new();
    root.insert("type".to_owned(), "object".into());
    root.insert("properties".to_owned(), json!({}));
    for plan in params.into_iter().filter(|plan| plan.is_argument) {
        if !plan.flatten {
            add_property(&mut root, &plan.name, plan.schema.clone(), plan.required);
        } else if let Err(fault) = merge_into_root(&mut root, &plan.schema) {
            let what = if plan.name.is_empty() { "its arguments" } else { &plan.name };
            faults.at(about, format!("cannot flatten `{what}`: {fault}"));
        }
    }
    let is_empty = root["properties"].as_object().is_some_and(Map::is_empty);
    if strict || is_empty && !root.contains_key("additionalProperties") {
        root.insert("additionalProperties".to_owned(), false.into());
    }
    root.into()
}

/// `Resource` and `ResourceTemplate` (server/resources, Data Types).
pub(crate) fn resource(about: &Label, uri_key: &'static str, entry: &Facts) -> Vec<u8> {
    let mut resource = Map::new();
    resource.insert(uri_key.to_owned(), (*entry.uri).into());
    resource.append(&mut named(about));
    if let Some(mime) = &entry.mime {
        resource.insert("mimeType".to_owned(), (**mime).into());
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
    finish(resource, about)
}

/// `Prompt` (server/prompts, Data Types).
pub(crate) fn prompt(plan: &Plan) -> Vec<u8> {
    let mut prompt = named(&plan.about);
    let arguments: Vec<Value> = plan
        .params
        .iter()
        .filter(|plan| plan.is_argument)
        .map(|plan| {
            let mut argument = Map::new();
            argument.insert("name".to_owned(), (*plan.name).into());
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
    finish(prompt, &plan.about)
}

fn named(about: &Label) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("name".to_owned(), (*about.name).into());
    if let Some(title) = &about.title {
        map.insert("title".to_owned(), (**title).into());
    }
    if let Some(description) = &about.description {
        map.insert("description".to_owned(), (**description).into());
    }
    map
}

fn finish(mut map: Map<String, Value>, about: &Label) -> Vec<u8> {
    if !about.icons.is_empty() {
        map.insert("icons".to_owned(), json!(about.icons));
    }
    if let Some(meta) = &about.meta {
        map.insert("_meta".to_owned(), serde_json::from_str(meta).unwrap_or_default());
    }
    Value::Object(map).to_string().into_bytes()
}
