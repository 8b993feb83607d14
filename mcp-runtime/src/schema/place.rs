//! What a path leads to, in a value and in a schema.

use serde_json::{Map, Value};

use super::path::{Path, Segment};
use super::reference::resolve;

/// How many references and branches a single step follows.
const MAX_DEPTH: u8 = 8;

/// What is at `path` in `value`.
pub(super) fn in_value<'a>(value: &'a Value, path: &Path) -> Option<&'a Value> {
    path.0.iter().try_fold(value, |value, segment| match segment {
        Segment::Key(key) => value.get(key),
        Segment::Index(index) => value.get(index),
    })
}

/// The schema of what is at `path` in a value of `schema`, if the schema has one.
pub(super) fn in_schema<'a>(schema: &'a Value, path: &[Segment]) -> Option<&'a Value> {
    path.iter().try_fold(schema, |place, segment| step(place, segment, schema, MAX_DEPTH))
}

/// The schema one step inside `schema`, a part of `document`; where there are several branches, in the first that has one.
fn step<'a>(schema: &'a Value, segment: &Segment, document: &'a Value, depth: u8) -> Option<&'a Value> {
    let depth = depth.checked_sub(1)?;
    let map = schema.as_object()?;
    own(map, segment).or_else(|| {
        let target =
            map.get("$ref").and_then(Value::as_str).and_then(|reference| resolve(reference, document));
        let branches =
            ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|keyword| map.get(keyword)?.as_array());
        target.into_iter().chain(branches.flatten()).find_map(|branch| step(branch, segment, document, depth))
    })
}

/// The schema that the keywords of this one schema have for a member or an item.
fn own<'a>(map: &'a Map<String, Value>, segment: &Segment) -> Option<&'a Value> {
    let place = match segment {
        Segment::Key(key) => {
            let property = map.get("properties").and_then(|properties| properties.get(key));
            property.or_else(|| map.get("additionalProperties"))
        }
        Segment::Index(index) => {
            let prefix = map.get("prefixItems").and_then(|prefix| prefix.get(index));
            prefix.or_else(|| map.get("items"))
        }
    };
    place.filter(|place| place.is_object())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn key(name: &str) -> Segment {
        Segment::Key(name.to_owned())
    }

    #[test]
    fn a_path_leads_through_references_and_branches() {
        let schema = json!({
            "$ref": "#/$defs/Node",
            "$defs": {
                "Node": {
                    "properties": {
                        "children": { "items": { "$ref": "#/$defs/Node" } },
                        "shape": { "anyOf": [
                            { "const": "point" },
                            { "properties": { "line": { "prefixItems": [{ "type": "integer" }], "items": { "type": "string" } } } },
                        ] },
                    },
                    "additionalProperties": false,
                },
                "Loop": { "$ref": "#/$defs/Loop" },
            },
        });
        let line =
            |index| [key("children"), Segment::Index(3), key("shape"), key("line"), Segment::Index(index)];
        assert_eq!(in_schema(&schema, &line(0)), Some(&json!({ "type": "integer" })));
        assert_eq!(in_schema(&schema, &line(1)), Some(&json!({ "type": "string" })));
        assert_eq!(in_schema(&schema, &[key("other")]), None);
        assert_eq!(in_schema(&schema, &[]), Some(&schema));
        assert_eq!(in_schema(&json!({ "$ref": "#" }), &[key("a")]), None);
    }
}
