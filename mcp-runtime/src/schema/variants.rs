//! Enumerations as `enum`, with what the author said of each variant in the description.
//!
//! schemars writes a documented unit variant as a branch of a `oneOf` with a `const` of its own. Several clients drop
//! such branches, and a model sees nothing of them; an `enum` reaches every model.

use serde_json::{Map, Value};

use super::types::Types;

/// The keywords that a branch may have and still be only a list of constants.
const PLAIN: [&str; 6] = ["type", "const", "enum", "title", "description", "deprecated"];

/// A branch that admits only constants of one type.
struct Unit {
    kind: &'static str,
    values: Vec<Value>,
    doc: Option<String>,
}

/// Turns the branches of `oneOf` or `anyOf` that are constants into one `enum`: in the schema itself if there are no
/// other branches, else in one branch.
pub(super) fn fold_constants(schema: &mut Map<String, Value>) {
    for keyword in ["oneOf", "anyOf"] {
        let Some(Value::Array(branches)) = schema.get(keyword) else {
            continue;
        };
        let units: Vec<Option<Unit>> = branches.iter().map(unit).collect();
        let Some(kind) = units.iter().flatten().map(|unit| unit.kind).next() else {
            continue;
        };
        if units.iter().flatten().any(|unit| unit.kind != kind) {
            continue;
        }
        let everything = units.iter().all(Option::is_some);
        let taken = ["enum", "const"].iter().any(|keyword| schema.contains_key(*keyword))
            || schema.get("type").is_some_and(|declared| declared != kind);
        if everything && !taken {
            schema.shift_remove(keyword);
            describe(schema, kind, units.into_iter().flatten());
        } else if units.iter().flatten().count() > 1 {
            let mut folded = Map::new();
            let mut others = Vec::new();
            let mut place = None;
            for (unit, branch) in units.iter().zip(branches) {
                if unit.is_none() {
                    others.push(branch.clone());
                } else if place.is_none() {
                    place = Some(others.len());
                }
            }
            describe(&mut folded, kind, units.into_iter().flatten());
            others.insert(place.unwrap_or(0), Value::Object(folded));
            schema.insert(keyword.to_owned(), others.into());
        }
    }
}

/// `branch` as constants, if it is nothing else.
fn unit(branch: &Value) -> Option<Unit> {
    let branch = branch.as_object()?;
    if !branch.keys().all(|keyword| PLAIN.contains(&keyword.as_str())) {
        return None;
    }
    let values = match (branch.get("const"), branch.get("enum")) {
        (Some(value), None) => vec![value.clone()],
        (None, Some(Value::Array(values))) if !values.is_empty() => values.clone(),
        _ => return None,
    };
    let kind = ["string", "integer", "number", "boolean"]
        .into_iter()
        .find(|name| Types::named(name).is_some_and(|types| values.iter().all(|value| types.admit(value))))?;
    if branch.get("type").is_some_and(|declared| declared != kind) {
        return None;
    }
    let text = |keyword| branch.get(keyword).and_then(Value::as_str).map(one_line);
    let doc = match (text("title"), text("description")) {
        (Some(title), Some(description)) => Some(format!("{title}. {description}")),
        (title, description) => description.or(title),
    };
    Some(Unit { kind, values, doc })
}

/// Writes `units` into `schema` as an `enum`, and their docs below its description.
fn describe(schema: &mut Map<String, Value>, kind: &str, units: impl Iterator<Item = Unit>) {
    let mut values: Vec<Value> = Vec::new();
    let mut lines = Vec::new();
    for unit in units {
        if let Some(doc) = &unit.doc {
            let names: Vec<String> = unit
                .values
                .iter()
                .map(|value| match value {
                    Value::String(name) => format!("`{name}`"),
                    other => format!("`{other}`"),
                })
                .collect();
            lines.push(format!("- {}: {doc}", names.join(", ")));
        }
        for value in unit.values {
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }
    schema.insert("type".to_owned(), kind.into());
    schema.insert("enum".to_owned(), values.into());
    if !lines.is_empty() {
        let description = schema.get("description").and_then(Value::as_str);
        let lines = lines.join("\n");
        let description = match description {
            Some(text) => format!("{text}\n{lines}"),
            None => lines,
        };
        schema.insert("description".to_owned(), description.into());
    }
}

/// `text` with every run of white space as one space.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn folded(schema: &Value) -> Value {
        let mut map = schema.as_object().unwrap().clone();
        fold_constants(&mut map);
        Value::Object(map)
    }

    #[test]
    fn documented_variants_become_one_enum() {
        let schema = json!({
            "description": "Unit system.",
            "oneOf": [
                { "type": "string", "enum": ["kelvin"] },
                { "type": "string", "const": "metric", "description": "Celsius,\nmetres." },
                { "type": "string", "const": "imperial", "description": "Fahrenheit." },
            ],
        });
        assert_eq!(
            folded(&schema),
            json!({
                "type": "string",
                "enum": ["kelvin", "metric", "imperial"],
                "description": "Unit system.\n- `metric`: Celsius, metres.\n- `imperial`: Fahrenheit.",
            })
        );
    }

    #[test]
    fn constants_beside_data_become_one_branch() {
        let data = json!({ "type": "object", "properties": { "A": {} } });
        let schema = json!({
            "oneOf": [
                data,
                { "type": "string", "const": "b", "description": "B" },
                { "type": "string", "enum": ["c"] },
            ],
        });
        assert_eq!(
            folded(&schema),
            json!({
                "oneOf": [data, { "type": "string", "enum": ["b", "c"], "description": "- `b`: B" }],
            })
        );
    }

    #[test]
    fn constants_of_several_types_stay_apart() {
        let schema = json!({ "anyOf": [{ "const": "a" }, { "const": 1 }] });
        assert_eq!(folded(&schema), schema);
    }
}
