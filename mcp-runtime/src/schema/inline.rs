//! Schemas without references, where that is possible.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::reference::{definition_name, references, to_definition};
use super::walk::each_child_mut;

/// Keywords that describe a value and assert nothing, so that the outer one simply replaces the inner one.
pub(super) const ANNOTATIONS: [&str; 9] = [
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "x-mcp-header",
];

/// Puts every definition in the place of the references to it and takes the definitions away.
///
/// What refers to itself cannot be written without a reference: of a recursive type, the definition and the references
/// to it stay.
pub(super) fn inline(mut document: Value) -> Value {
    let mut definitions = take_definitions(&mut document);
    name_the_root(&mut document, &mut definitions);
    let recursive: BTreeSet<String> =
        definitions.keys().filter(|name| reaches_itself(name, &definitions)).cloned().collect();
    let inliner = Inliner { definitions: &definitions, recursive: &recursive };
    inliner.expand(&mut document);

    let mut kept = Map::new();
    let mut wanted = referenced(&document);
    while let Some(name) = wanted.pop() {
        if let Some(definition) = definitions.get(&name)
            && !kept.contains_key(&name)
        {
            let mut definition = definition.clone();
            inliner.expand(&mut definition);
            wanted.extend(referenced(&definition));
            kept.insert(name, definition);
        }
    }
    if let Value::Object(root) = &mut document
        && !kept.is_empty()
    {
        kept.sort_keys();
        root.insert("$defs".to_owned(), Value::Object(kept));
    }
    document
}

/// The definitions of a document, which loses them.
pub(super) fn take_definitions(document: &mut Value) -> BTreeMap<String, Value> {
    let Value::Object(root) = document else {
        return BTreeMap::new();
    };
    ["definitions", "$defs"]
        .iter()
        .filter_map(|keyword| match root.shift_remove(*keyword) {
            Some(Value::Object(definitions)) => Some(definitions),
            _ => None,
        })
        .flatten()
        .collect()
}

/// Makes a definition of the root if something refers to it as `#`, which would be another schema elsewhere.
fn name_the_root(document: &mut Value, definitions: &mut BTreeMap<String, Value>) {
    let refers_to_root = |schema: &Value| references(schema).contains(&"#");
    if !refers_to_root(document) && !definitions.values().any(refers_to_root) {
        return;
    }
    let mut name = document.get("title").and_then(Value::as_str).unwrap_or("Root").to_owned();
    while definitions.contains_key(&name) {
        name.push('_');
    }
    let reference = to_definition(&name);
    let mut root = document.clone();
    if let Value::Object(root) = &mut root {
        root.shift_remove("$schema");
        root.shift_remove("title");
    }
    definitions.insert(name, root);
    for schema in definitions.values_mut().chain([document]) {
        rename_references(schema, &|old| (old == "#").then(|| reference.clone()));
    }
}

/// Gives every reference in `schema` the target that `rename` says, where it says one.
pub(super) fn rename_references(schema: &mut Value, rename: &impl Fn(&str) -> Option<String>) {
    let Value::Object(map) = schema else { return };
    if let Some(Value::String(reference)) = map.get_mut("$ref")
        && let Some(renamed) = rename(reference)
    {
        *reference = renamed;
    }
    each_child_mut(map, |_, child| rename_references(child, rename));
}

/// The names of the definitions that `schema` refers to.
fn referenced(schema: &Value) -> Vec<String> {
    references(schema).into_iter().filter_map(definition_name).collect()
}

/// Whether following references from the definition `name` leads back to it.
fn reaches_itself(name: &str, definitions: &BTreeMap<String, Value>) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![name.to_owned()];
    while let Some(current) = open.pop() {
        let Some(definition) = definitions.get(&current) else {
            continue;
        };
        for next in referenced(definition) {
            if next == name {
                return true;
            }
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    false
}

/// Replaces references by what they name.
struct Inliner<'a> {
    definitions: &'a BTreeMap<String, Value>,
    recursive: &'a BTreeSet<String>,
}

impl Inliner<'_> {
    fn expand(&self, schema: &mut Value) {
        let Value::Object(map) = schema else { return };
        if let Some(name) = map.get("$ref").and_then(Value::as_str).and_then(definition_name) {
            if self.recursive.contains(&name) {
                map.insert("$ref".to_owned(), to_definition(&name).into());
            } else if let Some(definition) = self.definitions.get(&name) {
                map.shift_remove("$ref");
                let siblings = std::mem::take(map);
                *schema = match definition {
                    Value::Object(definition) => Value::Object(overlay(definition.clone(), siblings)),
                    boolean if siblings.is_empty() => boolean.clone(),
                    boolean => Value::Object(overlay(
                        Map::from_iter([("allOf".to_owned(), vec![boolean.clone()].into())]),
                        siblings,
                    )),
                };
                return self.expand(schema);
            }
        }
        each_child_mut(map, |_, child| self.expand(child));
    }
}

/// One schema that means `inner` and `outer` together, as `outer` with an `allOf` of `inner` would. Where both describe
/// the value, `outer` is nearer to the reader and wins.
pub(super) fn overlay(inner: Map<String, Value>, outer: Map<String, Value>) -> Map<String, Value> {
    let clash = outer.iter().any(|(keyword, value)| {
        !ANNOTATIONS.contains(&keyword.as_str()) && inner.get(keyword).is_some_and(|before| before != value)
    });
    // `additionalProperties` and its kin look at their neighbours, so these schemas cannot be mixed.
    let mixed = |one: &Map<String, Value>, other: &Map<String, Value>| {
        ["additionalProperties", "unevaluatedProperties", "items", "unevaluatedItems"]
            .iter()
            .any(|keyword| one.contains_key(*keyword) && !other.contains_key(*keyword))
            && ["properties", "patternProperties", "prefixItems"]
                .iter()
                .any(|keyword| other.contains_key(*keyword))
    };
    if !clash && !mixed(&inner, &outer) && !mixed(&outer, &inner) {
        let mut both = inner;
        both.extend(outer);
        return both;
    }
    let (described, asserted): (Map<_, _>, Map<_, _>) =
        outer.into_iter().partition(|(keyword, _)| ANNOTATIONS.contains(&keyword.as_str()));
    let mut both = described;
    both.insert("allOf".to_owned(), vec![Value::Object(inner), Value::Object(asserted)].into());
    both
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn definitions_take_the_place_of_references() {
        let document = json!({
            "properties": {
                "a": { "$ref": "#/$defs/A", "description": "outer" },
                "b": { "$ref": "#/$defs/B" },
            },
            "$defs": {
                "A": { "type": "object", "description": "inner", "properties": { "b": { "$ref": "#/$defs/B" } } },
                "B": { "type": "string" },
            },
        });
        assert_eq!(
            inline(document),
            json!({
                "properties": {
                    "a": {
                        "type": "object",
                        "description": "outer",
                        "properties": { "b": { "type": "string" } },
                    },
                    "b": { "type": "string" },
                },
            })
        );
    }

    #[test]
    fn only_the_recursive_part_keeps_its_definition() {
        let document = json!({
            "title": "Tree",
            "type": "object",
            "properties": {
                "children": { "type": "array", "items": { "$ref": "#" } },
                "label": { "$ref": "#/$defs/Label" },
            },
            "$defs": { "Label": { "type": "string" } },
        });
        let tree = json!({
            "type": "object",
            "properties": {
                "children": { "type": "array", "items": { "$ref": "#/$defs/Tree" } },
                "label": { "type": "string" },
            },
        });
        let mut expected = tree.clone();
        expected["title"] = json!("Tree");
        expected["$defs"] = json!({ "Tree": tree });
        assert_eq!(inline(document), expected);
    }

    #[test]
    fn assertions_that_differ_both_hold() {
        let map = |value: Value| value.as_object().unwrap().clone();
        assert_eq!(
            overlay(
                map(json!({ "type": "integer", "minimum": 0, "description": "inner" })),
                map(json!({ "minimum": 5, "description": "outer" })),
            ),
            map(json!({
                "description": "outer",
                "allOf": [
                    { "type": "integer", "minimum": 0, "description": "inner" },
                    { "minimum": 5 },
                ],
            }))
        );
    }
}
