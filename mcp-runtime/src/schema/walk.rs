//! Where a schema holds other schemas.
//!
//! Only these positions are schemas: a property may itself be called `items` or `format`, and an `enum` value or a
//! `default` may look like a schema, so nothing here ever searches by key alone.

use serde_json::{Map, Value};

/// Keywords whose value is one schema.
const SINGLE: [&str; 11] = [
    "items",
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "propertyNames",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
];

/// Keywords whose value is a list of schemas.
const LIST: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/// Keywords whose value maps names to schemas.
const NAMED: [&str; 5] = ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"];

/// One schema inside another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Child<'a> {
    /// The keyword that holds it.
    pub(super) keyword: &'a str,
    /// Its name, for the keywords that map names to schemas.
    pub(super) name: Option<&'a str>,
    /// The schema itself.
    pub(super) schema: &'a Value,
}

/// Every schema directly inside `schema`, in the order of the document.
pub(super) fn children(schema: &Map<String, Value>) -> Vec<Child<'_>> {
    let mut found = Vec::new();
    for (keyword, value) in schema {
        let keyword = keyword.as_str();
        let child = |name, schema| Child { keyword, name, schema };
        if SINGLE.contains(&keyword) {
            found.push(child(None, value));
        } else if LIST.contains(&keyword) {
            let list = value.as_array().into_iter().flatten();
            found.extend(list.map(|schema| child(None, schema)));
        } else if NAMED.contains(&keyword) {
            let named = value.as_object().into_iter().flatten();
            found.extend(named.map(|(name, schema)| child(Some(name.as_str()), schema)));
        }
    }
    found
}

/// Calls `visit` on every schema directly inside `schema`, to rewrite it, with the keyword that holds it.
pub(super) fn each_child_mut(schema: &mut Map<String, Value>, mut visit: impl FnMut(&str, &mut Value)) {
    for (keyword, value) in schema.iter_mut() {
        let keyword = keyword.as_str();
        if SINGLE.contains(&keyword) {
            visit(keyword, value);
        } else if LIST.contains(&keyword) {
            for child in value.as_array_mut().into_iter().flatten() {
                visit(keyword, child);
            }
        } else if NAMED.contains(&keyword) {
            for child in value.as_object_mut().into_iter().flat_map(Map::values_mut) {
                visit(keyword, child);
            }
        }
    }
}

/// Calls `visit` on `schema` and on every schema at any depth inside it, outermost first.
pub(super) fn each_schema<'a>(schema: &'a Value, visit: &mut impl FnMut(&'a Map<String, Value>)) {
    if let Value::Object(map) = schema {
        visit(map);
        for child in children(map) {
            each_schema(child.schema, visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn finds_schemas_and_nothing_that_only_looks_like_one() {
        let schema = json!({
            "properties": { "items": { "type": "string" } },
            "default": { "items": {} },
            "enum": [{ "not": {} }],
            "anyOf": [{ "minimum": 1 }],
            "items": true,
        });
        let found: Vec<_> = children(schema.as_object().unwrap())
            .iter()
            .map(|child| (child.keyword, child.name, child.schema.clone()))
            .collect();
        assert_eq!(
            found,
            [
                ("properties", Some("items"), json!({ "type": "string" })),
                ("anyOf", None, json!({ "minimum": 1 })),
                ("items", None, json!(true)),
            ]
        );
    }
}
