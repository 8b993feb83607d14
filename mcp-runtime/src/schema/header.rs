//! Arguments that HTTP clients repeat in headers: `x-mcp-header`.
//!
//! Specification 2026-07-28, "Streamable HTTP", *Custom Headers from Tool Parameters*, *Schema Extension*. Clients have
//! to hide a tool that breaks one of its rules, so all of them are checked when the server starts.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::path::shown;
use super::walk::{children, each_child_mut};

/// The annotation's keyword.
const KEYWORD: &str = "x-mcp-header";

/// What every header's name begins with.
const PREFIX: &str = "Mcp-Param-";

/// How the value of an annotated property is written in a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HeaderKind {
    /// In decimal, from −2^53+1 to 2^53−1.
    Integer,
    /// As it is, or in Base64.
    String,
    /// `true` or `false`.
    Boolean,
}

/// A property whose value is repeated in a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HeaderParam {
    /// The header's name in lower case: `mcp-param-region`.
    pub(crate) header: String,
    /// The header's name as the annotation spells it: `Mcp-Param-Region`.
    pub(crate) display: String,
    /// The chain of `properties` keys that leads from the arguments to the value.
    pub(crate) path: Vec<String>,
    /// How the value is written.
    pub(crate) kind: HeaderKind,
}

/// Every annotated property of a tool's input schema, in the order of the schema.
///
/// # Errors
///
/// A sentence for every annotation that breaks a rule of the specification.
pub(crate) fn header_parameters(schema: &Value) -> Result<Vec<HeaderParam>, Vec<String>> {
    let mut search = Search::default();
    if let Value::Object(root) = schema {
        if root.contains_key(KEYWORD) {
            search
                .faults
                .push(format!("`{KEYWORD}` is on the schema of the arguments; it belongs on a property"));
        }
        search.inside(root, &mut Vec::new(), None);
    }
    if search.faults.is_empty() { Ok(search.found) } else { Err(search.faults) }
}

/// Removes every annotation, for clients of revisions that have none.
pub(crate) fn drop_headers(schema: &mut Value) {
    if let Value::Object(map) = schema {
        map.shift_remove(KEYWORD);
        each_child_mut(map, |_, child| drop_headers(child));
    }
}

#[derive(Default)]
struct Search {
    found: Vec<HeaderParam>,
    /// Where each name was first seen.
    seen: HashMap<String, String>,
    faults: Vec<String>,
}

impl Search {
    /// Looks at every schema inside `schema`, which is reached by `path` through `properties` only, unless `barrier` is
    /// the keyword that it is behind.
    fn inside(&mut self, schema: &Map<String, Value>, path: &mut Vec<String>, barrier: Option<&str>) {
        for child in children(schema) {
            let Value::Object(map) = child.schema else {
                continue;
            };
            let barrier = match child.keyword {
                "properties" => barrier,
                keyword => Some(barrier.unwrap_or(keyword)),
            };
            let step = child.name.unwrap_or(child.keyword);
            path.push(step.to_owned());
            if let Some(annotation) = map.get(KEYWORD) {
                match parameter(annotation, map, path, barrier) {
                    Ok(parameter) => self.add(parameter),
                    Err(fault) => self.faults.push(fault),
                }
            }
            self.inside(map, path, barrier);
            path.pop();
        }
    }

    /// Adds a parameter whose name is not taken.
    fn add(&mut self, parameter: HeaderParam) {
        let place = parameter.path.join(".");
        if let Some(first) = self.seen.get(&parameter.header) {
            self.faults.push(format!(
                "`{first}` and `{place}` have the same `{KEYWORD}`, {:?} (upper and lower case are the same)",
                parameter.display.trim_start_matches(PREFIX)
            ));
        } else {
            self.seen.insert(parameter.header.clone(), place);
            self.found.push(parameter);
        }
    }
}

/// Reads one annotation.
fn parameter(
    annotation: &Value,
    schema: &Map<String, Value>,
    path: &[String],
    barrier: Option<&str>,
) -> Result<HeaderParam, String> {
    let place = path.join(".");
    let name = annotation
        .as_str()
        .ok_or_else(|| format!("the `{KEYWORD}` of `{place}` must be a string, not {}", shown(annotation)))?;
    if name.is_empty() {
        return Err(format!("the `{KEYWORD}` of `{place}` is empty"));
    }
    if let Some(bad) = name.chars().find(|character| !is_token(*character)) {
        return Err(format!(
            "the `{KEYWORD}` of `{place}`, {name:?}, contains {bad:?}, which a header's name cannot contain"
        ));
    }
    if let Some(keyword) = barrier {
        return Err(format!(
            "the `{KEYWORD}` of `{place}` is inside of `{keyword}`; only a property that is always in the same place can be repeated in a header"
        ));
    }
    let kind = match schema.get("type").and_then(Value::as_str) {
        Some("integer") => HeaderKind::Integer,
        Some("string") => HeaderKind::String,
        Some("boolean") => HeaderKind::Boolean,
        _ => {
            let found = match schema.get("type") {
                Some(kind) => format!("of type {kind}"),
                None => "without a type".to_owned(),
            };
            return Err(format!(
                "`{place}` has `{KEYWORD}` but is {found}; only an integer, a string or a boolean can be repeated in a header"
            ));
        }
    };
    Ok(HeaderParam {
        header: format!("{PREFIX}{name}").to_ascii_lowercase(),
        display: format!("{PREFIX}{name}"),
        path: path.to_vec(),
        kind,
    })
}

/// Whether a character is a `tchar` (RFC 9110, section 5.6.2).
fn is_token(character: char) -> bool {
    character.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn faults(schema: &Value) -> Vec<String> {
        header_parameters(schema).unwrap_err()
    }

    #[allow(clippy::needless_pass_by_value, reason = "reads better with `json!`")]
    fn property(schema: Value) -> Value {
        json!({ "type": "object", "properties": { "a": schema } })
    }

    #[test]
    fn annotations_are_found_along_properties() {
        let schema = json!({
            "type": "object",
            "properties": {
                "region": { "type": "string", "x-mcp-header": "Region" },
                "query": { "type": "string" },
                "options": {
                    "type": "object",
                    "properties": {
                        "dry": { "type": "boolean", "x-mcp-header": "Dry-Run" },
                        "x-mcp-header": { "type": "integer", "x-mcp-header": "n" },
                    },
                },
            },
            "default": { "x-mcp-header": "no annotation" },
        });
        let parameter = |header: &str, display: &str, path: &[&str], kind| HeaderParam {
            header: header.to_owned(),
            display: display.to_owned(),
            path: path.iter().map(ToString::to_string).collect(),
            kind,
        };
        assert_eq!(
            header_parameters(&schema),
            Ok(vec![
                parameter("mcp-param-region", "Mcp-Param-Region", &["region"], HeaderKind::String),
                parameter("mcp-param-dry-run", "Mcp-Param-Dry-Run", &["options", "dry"], HeaderKind::Boolean),
                parameter("mcp-param-n", "Mcp-Param-n", &["options", "x-mcp-header"], HeaderKind::Integer),
            ])
        );
    }

    #[test]
    fn a_schema_without_annotations_has_none() {
        assert_eq!(header_parameters(&property(json!({ "type": "string" }))), Ok(Vec::new()));
        assert_eq!(header_parameters(&json!({ "type": "object" })), Ok(Vec::new()));
    }

    #[test]
    fn names_must_be_tokens() {
        for (name, fault) in [
            (json!(""), "the `x-mcp-header` of `a` is empty"),
            (
                json!("My Region"),
                "the `x-mcp-header` of `a`, \"My Region\", contains ' ', which a header's name cannot contain",
            ),
            (
                json!("a\r\n"),
                "the `x-mcp-header` of `a`, \"a\\r\\n\", contains '\\r', which a header's name cannot contain",
            ),
            (
                json!("Région"),
                "the `x-mcp-header` of `a`, \"Région\", contains 'é', which a header's name cannot contain",
            ),
            (
                json!("a:b"),
                "the `x-mcp-header` of `a`, \"a:b\", contains ':', which a header's name cannot contain",
            ),
            (json!(1), "the `x-mcp-header` of `a` must be a string, not 1"),
        ] {
            assert_eq!(faults(&property(json!({ "type": "string", "x-mcp-header": name }))), [fault]);
        }
    }

    #[test]
    fn names_must_be_unique_whatever_their_case() {
        let schema = json!({
            "properties": {
                "a": { "type": "string", "x-mcp-header": "Region" },
                "b": { "type": "string", "x-mcp-header": "REGION" },
            },
        });
        assert_eq!(
            faults(&schema),
            ["`a` and `b` have the same `x-mcp-header`, \"REGION\" (upper and lower case are the same)"]
        );
    }

    #[test]
    fn only_primitive_types_that_are_no_number() {
        for (kind, found) in [
            (json!({ "type": "number" }), "of type \"number\""),
            (json!({ "type": "object" }), "of type \"object\""),
            (json!({ "type": ["string", "null"] }), "of type [\"string\",\"null\"]"),
            (json!({ "$ref": "#/$defs/A" }), "without a type"),
        ] {
            let mut schema = kind;
            schema["x-mcp-header"] = json!("A");
            assert_eq!(
                faults(&property(schema)),
                [format!(
                    "`a` has `x-mcp-header` but is {found}; only an integer, a string or a boolean can be repeated in a header"
                )]
            );
        }
    }

    #[test]
    fn only_where_properties_lead() {
        let annotated = json!({ "type": "string", "x-mcp-header": "A" });
        let inside = |place: &str, keyword: &str| {
            format!(
                "the `x-mcp-header` of `{place}` is inside of `{keyword}`; only a property that is always in the same place can be repeated in a header"
            )
        };
        for (schema, place, keyword) in [
            (property(json!({ "type": "array", "items": annotated })), "a.items", "items"),
            (json!({ "anyOf": [property(annotated.clone())] }), "anyOf.a", "anyOf"),
            (json!({ "if": property(annotated.clone()) }), "if.a", "if"),
            (json!({ "$defs": { "A": annotated } }), "A", "$defs"),
            (json!({ "additionalProperties": annotated }), "additionalProperties", "additionalProperties"),
        ] {
            assert_eq!(faults(&schema), [inside(place, keyword)]);
        }
        assert_eq!(
            faults(&json!({ "x-mcp-header": "A" })),
            ["`x-mcp-header` is on the schema of the arguments; it belongs on a property"]
        );
    }

    #[test]
    fn annotations_are_dropped_and_nothing_that_only_looks_like_one() {
        let mut schema = json!({
            "properties": {
                "a": { "type": "string", "x-mcp-header": "A" },
                "x-mcp-header": { "type": "string", "default": { "x-mcp-header": 1 } },
                "b": { "properties": { "c": { "x-mcp-header": "C" } } }
            }
        });
        drop_headers(&mut schema);
        assert_eq!(
            schema,
            json!({
                "properties": {
                    "a": { "type": "string" },
                    "x-mcp-header": { "type": "string", "default": { "x-mcp-header": 1 } },
                    "b": { "properties": { "c": {} } }
                }
            })
        );
    }
}
