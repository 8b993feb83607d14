//! One object schema out of several: the parameters of a function, and what it flattens into them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::inline::{rename_references, take_definitions};
use super::reference::{definition_name, resolve, to_definition};

/// How many references and compositions deep a flattened part is looked into.
const MAX_DEPTH: u8 = 16;

/// Adds the property `name` to an object schema, and what the property's schema defines to the root's definitions.
pub(crate) fn add_property(root: &mut Map<String, Value>, name: &str, mut schema: Value, required: bool) {
    hoist_definitions(root, &mut schema);
    members(root, "properties").insert(name.to_owned(), schema);
    if required {
        require(root, name);
    }
}

/// Folds a flattened parameter into the root: its properties are the root's own, as serde's `flatten` has it.
///
/// An enum gives the properties of all of its variants, and requires those which every variant requires; the root of
/// the arguments cannot be a composition, which clients refuse. A map opens the root to any other property.
pub(crate) fn merge_into_root(root: &mut Map<String, Value>, part: &Value) -> Result<(), String> {
    let mut part = part.clone();
    hoist_definitions(root, &mut part);
    let document = Value::Object(root.clone());
    let shape = Shape::of(&part, &document, MAX_DEPTH)?;
    for (name, schema) in shape.properties {
        let properties = members(root, "properties");
        match properties.get(&name) {
            Some(before) if *before != schema => {
                return Err(format!(
                    "two parameters of the function both give the argument `{name}`, with different schemas"
                ));
            }
            _ => properties.insert(name, schema),
        };
    }
    for name in shape.required {
        require(root, &name);
    }
    if let Some(additional) = shape.additional {
        root.entry("additionalProperties").or_insert(additional);
    }
    Ok(())
}

/// What an object schema says of its members.
#[derive(Default)]
struct Shape {
    properties: Map<String, Value>,
    required: Vec<String>,
    additional: Option<Value>,
}

impl Shape {
    /// Reads `schema`, a part of `document`.
    fn of(schema: &Value, document: &Value, depth: u8) -> Result<Self, String> {
        let too_deep = "a flattened parameter cannot be of a type that flattens itself";
        let depth = depth.checked_sub(1).ok_or(too_deep)?;
        let map = schema.as_object().ok_or("a flattened parameter must be a struct or a map")?;
        let kinds = match map.get("type") {
            Some(Value::Array(kinds)) => kinds.clone(),
            Some(kind) => vec![kind.clone()],
            None => Vec::new(),
        };
        if !kinds.is_empty() && !kinds.contains(&"object".into()) {
            return Err(format!(
                "a flattened parameter must be a struct or a map; the schema of this one says {}",
                kinds.iter().map(Value::to_string).collect::<Vec<_>>().join(" or ")
            ));
        }
        let mut shape = Self::own(map);
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            let target = resolve(reference, document)
                .ok_or_else(|| format!("`$ref` to {reference} names nothing in this schema"))?;
            shape.and(Self::of(target, document, depth)?);
        }
        for part in list(map, "allOf") {
            shape.and(Self::of(part, document, depth)?);
        }
        for keyword in ["anyOf", "oneOf"] {
            let mut any: Option<Self> = None;
            for branch in list(map, keyword) {
                let branch = Self::of(branch, document, depth)?;
                any = Some(match any {
                    Some(before) => before.or(branch),
                    None => branch,
                });
            }
            if let Some(any) = any {
                shape.and(any);
            }
        }
        Ok(shape)
    }

    /// What the schema says itself, its compositions aside.
    fn own(map: &Map<String, Value>) -> Self {
        Self {
            properties: map.get("properties").and_then(Value::as_object).cloned().unwrap_or_default(),
            required: list(map, "required")
                .iter()
                .filter_map(|name| name.as_str().map(str::to_owned))
                .collect(),
            // A flattened struct cannot close the object that it is flattened into.
            additional: map.get("additionalProperties").filter(|schema| schema.is_object()).cloned(),
        }
    }

    /// Takes in what holds as well.
    fn and(&mut self, other: Self) {
        for (name, schema) in other.properties {
            self.properties.entry(name).or_insert(schema);
        }
        for name in other.required {
            if !self.required.contains(&name) {
                self.required.push(name);
            }
        }
        if self.additional.is_none() {
            self.additional = other.additional;
        }
    }

    /// What holds if this or the other does.
    fn or(mut self, other: Self) -> Self {
        for (name, schema) in other.properties {
            let either = match self.properties.get(&name) {
                Some(before) => either(before, schema),
                None => schema,
            };
            self.properties.insert(name, either);
        }
        self.required.retain(|name| other.required.contains(name));
        self.additional = self.additional.or(other.additional);
        self
    }
}

/// A schema that admits what one of two admits: for two lists of constants, the tags of an enum, one list.
fn either(one: &Value, other: Value) -> Value {
    if *one == other {
        return other;
    }
    let constants = |schema: &Value| match schema.get("enum") {
        Some(Value::Array(values)) => Some((schema.get("type").cloned(), values.clone())),
        _ => None,
    };
    if let (Some((kind, mut values)), Some((other_kind, more))) = (constants(one), constants(&other))
        && kind == other_kind
    {
        for value in more {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        let mut merged = one.clone();
        merged["enum"] = values.into();
        return merged;
    }
    if let Some(Value::Object(only)) = Some(one)
        && only.len() == 1
        && let Some(Value::Array(branches)) = only.get("anyOf")
    {
        let mut branches = branches.clone();
        if !branches.contains(&other) {
            branches.push(other);
        }
        return serde_json::json!({ "anyOf": branches });
    }
    serde_json::json!({ "anyOf": [one, other] })
}

/// Moves what `part` defines to the definitions of `root`, under another name where the root has a different
/// definition of that name.
pub(crate) fn hoist_definitions(root: &mut Map<String, Value>, part: &mut Value) {
    let definitions = take_definitions(part);
    if definitions.is_empty() {
        return;
    }
    let present = members(root, "$defs");
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for (name, definition) in &definitions {
        let mut free = name.clone();
        let mut number = 2;
        while present.get(&free).is_some_and(|other| other != definition) {
            free = format!("{name}{number}");
            number += 1;
        }
        names.insert(name.clone(), free);
    }
    let rename = |reference: &str| Some(to_definition(names.get(&definition_name(reference)?)?));
    for (name, mut definition) in definitions {
        rename_references(&mut definition, &rename);
        members(root, "$defs").insert(names[&name].clone(), definition);
    }
    rename_references(part, &rename);
}

/// The map under `keyword`, which is made if there is none.
fn members<'a>(root: &'a mut Map<String, Value>, keyword: &str) -> &'a mut Map<String, Value> {
    let entry = root.entry(keyword).or_insert_with(|| Value::Object(Map::new()));
    if !entry.is_object() {
        *entry = Value::Object(Map::new());
    }
    match entry {
        Value::Object(map) => map,
        _ => unreachable!("the entry was made an object"),
    }
}

/// The list under `keyword`.
fn list<'a>(map: &'a Map<String, Value>, keyword: &str) -> &'a [Value] {
    map.get(keyword).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Adds `name` to the required properties.
fn require(root: &mut Map<String, Value>, name: &str) {
    if let Value::Array(names) = root.entry("required").or_insert_with(|| Value::Array(Vec::new()))
        && !names.iter().any(|known| known == name)
    {
        names.push(name.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn map(value: &Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    fn merged(root: &Value, part: &Value) -> Result<Value, String> {
        let mut root = map(root);
        merge_into_root(&mut root, part).map(|()| Value::Object(root))
    }

    #[test]
    fn a_struct_gives_its_properties() {
        let root = json!({ "type": "object", "properties": { "a": {} }, "required": ["a"] });
        let part = json!({
            "type": "object",
            "properties": { "b": { "type": "string" } },
            "allOf": [{ "properties": { "c": { "type": "integer" } }, "required": ["c"] }],
            "additionalProperties": false,
        });
        assert_eq!(
            merged(&root, &part),
            Ok(json!({
                "type": "object",
                "properties": { "a": {}, "b": { "type": "string" }, "c": { "type": "integer" } },
                "required": ["a", "c"],
            }))
        );
    }

    #[test]
    fn an_enum_gives_the_union_and_requires_the_intersection() {
        let part = json!({
            "type": "object",
            "oneOf": [
                {
                    "type": "object",
                    "properties": { "kind": { "type": "string", "enum": ["circle"] }, "r": { "type": "number" } },
                    "required": ["kind", "r"],
                },
                {
                    "type": "object",
                    "properties": { "kind": { "type": "string", "enum": ["square"] }, "r": { "type": "string" } },
                    "required": ["kind"],
                },
                {
                    "type": "object",
                    "properties": { "kind": { "type": "string", "enum": ["dot"] }, "r": { "type": "boolean" } },
                    "required": ["kind"],
                },
            ],
        });
        assert_eq!(
            merged(&json!({ "type": "object" }), &part),
            Ok(json!({
                "type": "object",
                "properties": {
                    "kind": { "type": "string", "enum": ["circle", "square", "dot"] },
                    "r": { "anyOf": [{ "type": "number" }, { "type": "string" }, { "type": "boolean" }] },
                },
                "required": ["kind"],
            }))
        );
    }

    #[test]
    fn a_map_opens_the_root() {
        let part = json!({ "type": "object", "additionalProperties": { "type": "string" } });
        assert_eq!(
            merged(&json!({ "type": "object" }), &part),
            Ok(json!({ "type": "object", "additionalProperties": { "type": "string" } }))
        );
    }

    #[test]
    fn what_is_no_object_is_refused() {
        assert_eq!(
            merged(&json!({}), &json!({ "type": "string" })),
            Err("a flattened parameter must be a struct or a map; the schema of this one says \"string\""
                .to_owned())
        );
        assert_eq!(
            merged(
                &json!({ "properties": { "a": { "type": "string" } } }),
                &json!({ "properties": { "a": { "type": "integer" } } })
            ),
            Err("two parameters of the function both give the argument `a`, with different schemas"
                .to_owned())
        );
    }

    #[test]
    fn definitions_of_one_name_are_told_apart() {
        let node = |kind: &str| {
            json!({
                "$ref": "#/$defs/Node",
                "$defs": { "Node": { "type": kind, "items": { "$ref": "#/$defs/Node" } } },
            })
        };
        let mut root = map(&json!({ "type": "object" }));
        add_property(&mut root, "a", node("array"), true);
        add_property(&mut root, "b", node("array"), false);
        add_property(&mut root, "c", node("object"), false);
        assert_eq!(
            Value::Object(root),
            json!({
                "type": "object",
                "$defs": {
                    "Node": { "type": "array", "items": { "$ref": "#/$defs/Node" } },
                    "Node2": { "type": "object", "items": { "$ref": "#/$defs/Node2" } },
                },
                "properties": {
                    "a": { "$ref": "#/$defs/Node" },
                    "b": { "$ref": "#/$defs/Node" },
                    "c": { "$ref": "#/$defs/Node2" },
                },
                "required": ["a"],
            })
        );
    }
}
