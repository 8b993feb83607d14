//! Schemas that every client accepts.
//!
//! Clients and model APIs refuse whole tools over `$ref`, `["integer", "null"]`, `format: "uint32"`, a schema that is
//! `true`, an array without `items`. What schemars generates contains all of these; what is published contains none of
//! them, wherever the Rust type can be said without.
//!
//! An input schema never mentions `null`: a model reads it as something to send, and "not given" is said by leaving
//! the property out. An output schema admits `null` wherever serde writes it, because a client validates against it.

#[cfg(test)]
use schemars::JsonSchema;
use schemars::Schema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

use super::implied::{is_integer_key, is_number_format, remove_implied};
use super::inline::{ANNOTATIONS, inline, overlay};
use super::variants::fold_constants;
use super::walk::{children, each_child_mut};

/// Whether a schema says what is accepted, or what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Contract {
    /// What `Deserialize` accepts: arguments.
    Input,
    /// What `Serialize` writes: structured content.
    Output,
}

/// How an entry tells the schema of a type, without being generic over it.
pub(crate) type Generate = fn(&mut SchemaGenerator) -> Schema;

/// The schema of a type, for publishing and for checking.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Generated {
    /// What is published.
    pub(crate) schema: Value,
    /// The same without the bounds that serde keeps by itself (0 to 255 for a `u8`): the one to compile a
    /// [`Check`](super::check::Check) from, with [`Trust::Decoded`](super::check::Trust::Decoded).
    pub(crate) stated: Value,
}

/// The published schema of a `T` among the arguments.
#[cfg(test)]
pub(crate) fn input_schema_of<T: JsonSchema + ?Sized>() -> Value {
    generate(SchemaGenerator::subschema_for::<T>, Contract::Input).schema
}

/// The published schema of a `T` as structured content.
#[cfg(test)]
pub(crate) fn output_schema_of<T: JsonSchema + ?Sized>() -> Value {
    generate(SchemaGenerator::subschema_for::<T>, Contract::Output).schema
}

/// Runs a generator, such as `SchemaGenerator::subschema_for::<T>`, and normalises what it gives.
pub(crate) fn generate(
    generate: impl FnOnce(&mut SchemaGenerator) -> Schema,
    contract: Contract,
) -> Generated {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut generator = match contract {
        Contract::Input => settings.for_deserialize(),
        Contract::Output => settings.for_serialize(),
    }
    .into_generator();
    // Not `root_schema_for`, which would make a title of the type's name.
    let mut raw = generate(&mut generator).to_value();
    let definitions = generator.take_definitions(false);
    if let Value::Object(root) = &mut raw
        && !definitions.is_empty()
    {
        root.insert("$defs".to_owned(), Value::Object(definitions));
    }
    let mut stated = raw.clone();
    remove_implied(&mut stated);
    Generated { schema: schema_of_value(raw, contract), stated: schema_of_value(stated, contract) }
}

/// Normalises a schema as schemars generates it. A schema that an author wrote by hand is not for this function: it is
/// passed on as it is.
pub(crate) fn schema_of_value(raw: Value, contract: Contract) -> Value {
    let mut schema = inline(raw);
    rewrite(&mut schema, contract);
    if let Value::Object(root) = &mut schema
        && !root.contains_key("type")
        && admits_only_objects(root)
    {
        root.shift_insert(0, "type".to_owned(), "object".into());
    }
    schema
}

/// Whether every branch of a composition is an object, so that the whole is one.
fn admits_only_objects(root: &Map<String, Value>) -> bool {
    ["anyOf", "oneOf"].iter().any(|keyword| {
        root.get(*keyword).and_then(Value::as_array).is_some_and(|branches| {
            branches.iter().all(|branch| branch.get("type").is_some_and(|kind| kind == "object"))
        })
    })
}

/// Rewrites a schema and everything in it.
fn rewrite(schema: &mut Value, contract: Contract) {
    let map = match schema {
        Value::Object(map) => map,
        Value::Bool(admits) => {
            *schema = if *admits { json!({}) } else { json!({ "not": {} }) };
            return;
        }
        _ => return,
    };
    map.shift_remove("$schema");
    let mut nullable = take_null(map);
    while merge_single_branch(map) {
        nullable |= take_null(map);
    }
    fold_constants(map);
    split_types(map, contract);
    if let Some(value) = map.shift_remove("const") {
        map.insert("enum".to_owned(), vec![value].into());
    }
    if map.get("format").and_then(Value::as_str).is_some_and(is_number_format) {
        map.shift_remove("format");
    }
    if contract == Contract::Input && map.get("default").is_some_and(Value::is_null) {
        map.shift_remove("default");
    }
    complete_object(map);
    complete_array(map);
    each_child_mut(map, |keyword, child| {
        // `additionalProperties: false` is what clients know, and what strict modes ask for.
        let closes = keyword.ends_with("Properties") && *child == Value::Bool(false);
        if !closes {
            rewrite(child, contract);
        }
    });
    if nullable && contract == Contract::Output {
        admit_null(map);
    }
    put_in_order(map);
}

/// Takes `null` out of a schema that admits other values too, and tells whether it was there.
fn take_null(map: &mut Map<String, Value>) -> bool {
    let mut nullable = false;
    if let Some(Value::Array(types)) = map.get_mut("type") {
        if types.len() > 1 {
            let before = types.len();
            types.retain(|name| name != "null");
            nullable |= types.len() < before;
        }
        if let [only] = types.as_slice() {
            let only = only.clone();
            map.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = map.get_mut("enum")
        && values.len() > 1
        && values.contains(&Value::Null)
    {
        values.retain(|value| !value.is_null());
        nullable = true;
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = map.get_mut(keyword) {
            let others = branches.iter().filter(|branch| !is_null(branch)).count();
            if others > 0 && others < branches.len() {
                branches.retain(|branch| !is_null(branch));
                nullable = true;
            }
        }
    }
    nullable
}

/// Whether a schema admits `null` and nothing else.
fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null") || schema.get("const").is_some_and(Value::is_null)
}

/// Puts the only branch of a composition in the place of the composition.
fn merge_single_branch(map: &mut Map<String, Value>) -> bool {
    for keyword in ["anyOf", "oneOf", "allOf"] {
        if let Some([Value::Object(branch)]) = map.get(keyword).and_then(Value::as_array).map(Vec::as_slice) {
            let branch = branch.clone();
            map.shift_remove(keyword);
            *map = overlay(branch, std::mem::take(map));
            return true;
        }
    }
    false
}

/// Writes a list of types as branches of one type each, every assertion with the type that it is about. An output
/// schema keeps its list: no model reads it.
fn split_types(map: &mut Map<String, Value>, contract: Contract) {
    let Some(Value::Array(types)) = map.get("type") else {
        return;
    };
    if contract == Contract::Output || map.contains_key("anyOf") {
        return;
    }
    let mut branches: Vec<Map<String, Value>> =
        types.iter().map(|name| Map::from_iter([("type".to_owned(), name.clone())])).collect();
    map.shift_remove("type");
    for keyword in map.keys().cloned().collect::<Vec<_>>() {
        let Some(subject) = subject(&keyword) else {
            continue;
        };
        let value = map.shift_remove(&keyword).unwrap_or_default();
        for branch in &mut branches {
            if branch["type"] == subject || (subject == "number" && branch["type"] == "integer") {
                branch.insert(keyword.clone(), value.clone());
            }
        }
    }
    map.insert("anyOf".to_owned(), branches.into_iter().map(Value::Object).collect());
}

/// The type that a keyword makes an assertion about, if it is about one type only.
fn subject(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => "number",
        "minLength" | "maxLength" | "pattern" | "format" => "string",
        "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" | "contains" => "array",
        "properties"
        | "required"
        | "additionalProperties"
        | "patternProperties"
        | "propertyNames"
        | "minProperties"
        | "maxProperties" => "object",
        _ => return None,
    })
}

/// Says of an object what its members are.
fn complete_object(map: &mut Map<String, Value>) {
    if map.get("type").is_none_or(|kind| kind != "object") {
        return;
    }
    // A map with integers for keys. Clients that do not know `patternProperties` would take it for an empty object.
    if !map.contains_key("properties")
        && map.get("additionalProperties") == Some(&Value::Bool(false))
        && let Some(Value::Object(patterns)) = map.get("patternProperties")
        && patterns.len() == 1
        && let Some((pattern, member)) = patterns.iter().next()
        && is_integer_key(pattern)
    {
        let member = member.clone();
        map.shift_remove("patternProperties");
        map.insert("additionalProperties".to_owned(), member);
    }
    // It admits everything, as its absence would.
    if map.get("unevaluatedProperties") == Some(&Value::Bool(true)) {
        map.shift_remove("unevaluatedProperties");
    }
    let open = children(map).iter().any(|child| {
        matches!(child.keyword, "additionalProperties" | "patternProperties" | "anyOf" | "oneOf" | "allOf")
    });
    if !open && !map.contains_key("properties") {
        map.insert("properties".to_owned(), json!({}));
    }
}

/// Says of an array what its items are, for those who do not know `prefixItems` too.
fn complete_array(map: &mut Map<String, Value>) {
    let is_array = map.get("type").is_some_and(|kind| {
        kind == "array" || kind.as_array().is_some_and(|types| types.contains(&"array".into()))
    });
    if is_array && !map.contains_key("items") {
        let items = match map.get("prefixItems").and_then(Value::as_array).map(Vec::as_slice) {
            Some([first, rest @ ..]) if rest.iter().all(|item| item == first) => first.clone(),
            _ => json!({}),
        };
        map.insert("items".to_owned(), items);
    }
}

/// Makes a schema admit `null` as well.
fn admit_null(map: &mut Map<String, Value>) {
    let is_assertion = |keyword: &str| !ANNOTATIONS.contains(&keyword) && keyword != "$defs";
    let assertions: Vec<&str> =
        map.keys().map(String::as_str).filter(|keyword| is_assertion(keyword)).collect();
    if assertions.is_empty() {
        return;
    }
    let composed = assertions
        .iter()
        .any(|keyword| matches!(*keyword, "anyOf" | "oneOf" | "allOf" | "not" | "if" | "$ref"));
    if !composed && let Some(kind) = map.get("type") {
        let mut types = match kind {
            Value::Array(types) => types.clone(),
            one => vec![one.clone()],
        };
        types.push("null".into());
        map.insert("type".to_owned(), types.into());
        if let Some(Value::Array(values)) = map.get_mut("enum") {
            values.push(Value::Null);
        }
        return;
    }
    let null = json!({ "type": "null" });
    if assertions == ["anyOf"]
        && let Some(Value::Array(branches)) = map.get_mut("anyOf")
    {
        branches.push(null);
        return;
    }
    let (asserted, rest): (Map<_, _>, Map<_, _>) =
        std::mem::take(map).into_iter().partition(|(keyword, _)| is_assertion(keyword));
    *map = rest;
    map.insert("anyOf".to_owned(), vec![Value::Object(asserted), null].into());
}

/// Puts first what a reader looks for first, and definitions last.
fn put_in_order(map: &mut Map<String, Value>) {
    for keyword in ["description", "title", "type"] {
        if let Some(value) = map.shift_remove(keyword) {
            map.shift_insert(0, keyword.to_owned(), value);
        }
    }
    if let Some(definitions) = map.shift_remove("$defs") {
        map.insert("$defs".to_owned(), definitions);
    }
}

#[cfg(test)]
mod tests;
