//! Forms as 2025-06-18 has them: "flat objects with primitive properties only" (client/elicitation, Requested Schema).

use serde_json::{Map, Value, json};

use super::known_of;
use crate::legacy::Revision;

/// What every field can say.
const SHOWN: [&str; 3] = ["type", "title", "description"];

/// The `requestedSchema` of 2025-06-18. What it does not know is left out, where an answer can be given without.
///
/// # Errors
///
/// A sentence on the first field that it cannot ask for.
pub(super) fn form(revision: Revision, schema: &Value) -> Result<Value, String> {
    let mut properties = Map::new();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let translated = match field {
            Value::Object(members) => primitive(members),
            _ => None,
        };
        let translated = translated.ok_or_else(|| cannot_ask(revision, name, field))?;
        properties.insert(name.clone(), translated.into());
    }
    let mut form = json!({ "type": "object", "properties": properties });
    if let Some(required) = schema.get("required") {
        form["required"] = required.clone();
    }
    Ok(form)
}

fn cannot_ask(revision: Revision, name: &str, field: &Value) -> String {
    let what = match field["type"].as_str() {
        Some("array") => "lets the person choose several",
        _ => "is neither text, a number, yes or no, nor a choice",
    };
    format!("revision {revision} cannot ask for `{name}`, which {what}")
}

/// `PrimitiveSchemaDefinition`.
fn primitive(field: &Map<String, Value>) -> Option<Map<String, Value>> {
    if let Some(options) = field.get("oneOf").and_then(Value::as_array) {
        return titled(field, options);
    }
    Some(match field.get("type")?.as_str()? {
        "string" if field.contains_key("enum") => picked(field, &["enum", "enumNames"]),
        "string" => picked(field, &["minLength", "maxLength", "format"]),
        "number" | "integer" => picked(field, &["minimum", "maximum"]),
        "boolean" => picked(field, &["default"]),
        _ => return None,
    })
}

/// `EnumSchema`: the titles that 2025-11-25 has in `oneOf` are a list of their own.
fn titled(field: &Map<String, Value>, options: &[Value]) -> Option<Map<String, Value>> {
    let values: Vec<&str> = options.iter().map(|option| option["const"].as_str()).collect::<Option<_>>()?;
    let names = options.iter().zip(&values).map(|(option, value)| option["title"].as_str().unwrap_or(value));
    let names: Vec<&str> = names.collect();
    let mut schema = picked(field, &[]);
    schema.insert("enum".to_owned(), json!(values));
    schema.insert("enumNames".to_owned(), json!(names));
    Some(schema)
}

fn picked(field: &Map<String, Value>, keywords: &[&str]) -> Map<String, Value> {
    known_of(field, |keyword| SHOWN.contains(&keyword) || keywords.contains(&keyword))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Elicit;

    #[derive(Elicit)]
    #[allow(dead_code, reason = "only its form is read")]
    enum Plain {
        Red,
        Green,
    }

    #[derive(Elicit)]
    #[allow(dead_code, reason = "only its form is read")]
    enum Titled {
        #[elicit(rename = "#FF0000", title = "Red")]
        Red,
        Green,
    }

    #[test]
    fn every_field_with_what_the_revision_knows() {
        #[derive(Elicit)]
        #[allow(dead_code, reason = "only its form is read")]
        struct Form {
            /// Your email address
            #[elicit(title = "E-mail", format = "email", length(..=80), default = "a@example.com")]
            email: String,
            #[elicit(range(1..=9), default = 1)]
            seats: u8,
            #[elicit(default = 0.5)]
            share: f64,
            #[elicit(default = true)]
            sure: bool,
            #[elicit(default = Plain::Red)]
            plain: Plain,
            /// Which one?
            titled: Titled,
        }
        assert_eq!(
            form(Revision::V2025_06_18, &Form::requested_schema()),
            Ok(json!({
                "type": "object",
                "properties": {
                    "email": {
                        "type": "string", "title": "E-mail", "description": "Your email address",
                        "maxLength": 80, "format": "email"
                    },
                    "seats": { "type": "integer", "minimum": 1, "maximum": 9 },
                    "share": { "type": "number" },
                    "sure": { "type": "boolean", "default": true },
                    "plain": { "type": "string", "enum": ["Red", "Green"] },
                    "titled": {
                        "type": "string", "description": "Which one?",
                        "enum": ["#FF0000", "Green"], "enumNames": ["Red", "Green"]
                    }
                },
                "required": ["titled"]
            }))
        );
    }

    #[test]
    fn a_form_without_fields() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object", "properties": {}
        });
        assert_eq!(form(Revision::V2025_06_18, &schema), Ok(json!({ "type": "object", "properties": {} })));
    }

    #[test]
    fn what_cannot_be_asked() {
        #[derive(Elicit)]
        #[allow(dead_code, reason = "only its form is read")]
        struct Several {
            colors: Vec<Plain>,
        }
        for (schema, why) in [
            (
                Several::requested_schema(),
                "revision 2025-06-18 cannot ask for `colors`, which lets the person choose several",
            ),
            (
                json!({ "type": "object", "properties": { "a": { "type": "object" } } }),
                "revision 2025-06-18 cannot ask for `a`, which is neither text, a number, yes or no, nor a choice",
            ),
            (
                json!({ "type": "object", "properties": { "a": true } }),
                "revision 2025-06-18 cannot ask for `a`, which is neither text, a number, yes or no, nor a choice",
            ),
        ] {
            assert_eq!(form(Revision::V2025_06_18, &schema).unwrap_err(), why);
        }
    }
}
