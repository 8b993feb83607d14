//! A schema in words: what completes the sentence "expected …".

use serde_json::{Map, Value};

use super::path::shortened;
use super::reference::resolve;
use super::types::Types;

/// How many constants, alternatives or properties are named before "…".
const NAMED: usize = 16;

/// How deep a phrase looks into a schema. "an array of strings" helps; what the strings are in turn does not.
const MAX_DEPTH: u8 = 6;

/// The phrase for `schema`, a part of `document`.
pub(super) fn phrase(schema: &Value, document: &Value) -> String {
    Phraser { document }.phrase(schema, MAX_DEPTH)
}

/// Constants as alternatives: `one of "metric", "imperial"`.
pub(super) fn one_of(values: &[Value]) -> String {
    let texts = values.iter().map(|value| shortened(&value.to_string()));
    match values {
        [] => "nothing".to_owned(),
        [only] => shortened(&only.to_string()),
        _ => format!("one of {}", listed(texts, ", ")),
    }
}

/// Words joined by `separator`, cut where there are too many.
pub(super) fn listed(words: impl ExactSizeIterator<Item = String>, separator: &str) -> String {
    let all = words.len();
    let mut shown: Vec<String> = words.take(NAMED).collect();
    if all > NAMED {
        shown.push("…".to_owned());
    }
    shown.join(separator)
}

/// Puts schemas of one document into words.
struct Phraser<'a> {
    document: &'a Value,
}

impl Phraser<'_> {
    fn phrase(&self, schema: &Value, depth: u8) -> String {
        let any = || "any value".to_owned();
        let Some(depth) = depth.checked_sub(1) else {
            return any();
        };
        let map = match schema {
            Value::Object(map) => map,
            Value::Bool(false) => return "nothing".to_owned(),
            _ => return any(),
        };
        if let Some(value) = map.get("const") {
            return one_of(std::slice::from_ref(value));
        }
        if let Some(Value::Array(values)) = map.get("enum") {
            return one_of(values);
        }
        if let Some(keyword) = map.get("type") {
            let names = match keyword {
                Value::Array(names) => names.as_slice(),
                one => std::slice::from_ref(one),
            };
            let phrases = names.iter().filter_map(Value::as_str).map(|name| self.of_type(name, map, depth));
            return either(phrases.collect());
        }
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            return resolve(reference, self.document).map_or_else(any, |target| self.phrase(target, depth));
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = map.get(keyword) {
                return either(branches.iter().map(|branch| self.phrase(branch, depth)).collect());
            }
        }
        if let Some(Value::Array(parts)) = map.get("allOf")
            && let Some(told) =
                parts.iter().map(|part| self.phrase(part, depth)).find(|phrase| *phrase != "any value")
        {
            return told;
        }
        if let Some(negated) = map.get("not") {
            return match self.phrase(negated, depth).as_str() {
                "any value" => "nothing".to_owned(),
                other => format!("anything but {other}"),
            };
        }
        // No type is named: the keywords tell what it is about.
        for (name, keywords) in [
            ("number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
            ("string", ["minLength", "maxLength", "pattern", "format", "pattern"]),
            ("array", ["items", "prefixItems", "minItems", "maxItems", "uniqueItems"]),
            ("object", ["properties", "required", "minProperties", "maxProperties", "additionalProperties"]),
        ] {
            if keywords.iter().any(|keyword| map.contains_key(*keyword)) {
                return self.of_type(name, map, depth);
            }
        }
        any()
    }

    /// The phrase for the values of one type that a schema admits.
    fn of_type(&self, name: &str, map: &Map<String, Value>, depth: u8) -> String {
        match name {
            "integer" => range("an integer", map),
            "number" => range("a number", map),
            "string" => string(map),
            "boolean" => "true or false".to_owned(),
            "array" => self.array(map, depth),
            "object" => self.object(map),
            other => other.to_owned(),
        }
    }

    fn array(&self, map: &Map<String, Value>, depth: u8) -> String {
        if let Some(Value::Array(prefix)) = map.get("prefixItems") {
            let items = prefix.iter().map(|item| self.phrase(item, depth));
            return format!("an array [{}]", listed(items, ", "));
        }
        let item = map.get("items").unwrap_or(&Value::Null);
        let noun = self.plural(item, depth);
        let unique =
            if map.get("uniqueItems") == Some(&Value::Bool(true)) { ", none of them twice" } else { "" };
        let items = match amount(map, "minItems", "maxItems") {
            Some(amount) => format!("an array of {}", counted(&amount, noun)),
            None if noun == "items" => "an array".to_owned(),
            None => format!("an array of {noun}"),
        };
        let kind = match item.get("enum").and_then(Value::as_array) {
            Some(values) => format!(", each {}", one_of(values)),
            None => String::new(),
        };
        format!("{items}{kind}{unique}")
    }

    /// The plural noun for values of a schema.
    fn plural(&self, schema: &Value, depth: u8) -> &'static str {
        let Some(types) = depth.checked_sub(1).and_then(|_| Types::admitted(schema, self.document)) else {
            return "items";
        };
        [
            (Types::STRING, "strings"),
            (Types::INTEGER, "integers"),
            (Types::NUMBER, "numbers"),
            (Types::BOOLEAN, "booleans"),
            (Types::OBJECT, "objects"),
            (Types::ARRAY, "arrays"),
        ]
        .into_iter()
        .find_map(|(one, noun)| (one == types).then_some(noun))
        .unwrap_or("items")
    }

    fn object(&self, map: &Map<String, Value>) -> String {
        let names: Vec<&str> = map
            .get("required")
            .and_then(Value::as_array)
            .map(|names| names.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        let tag = |name: &&str| {
            let value = map.get("properties")?.get(name)?;
            match (value.get("const"), value.get("enum").and_then(Value::as_array).map(Vec::as_slice)) {
                (Some(value), _) | (None, Some([value])) => Some(format!("`{name}`: {value}")),
                _ => None,
            }
        };
        if !names.is_empty() {
            let members = names.iter().map(|name| tag(name).unwrap_or_else(|| format!("`{name}`")));
            return format!("an object with {}", listed(members, ", "));
        }
        if let Some(amount) = amount(map, "minProperties", "maxProperties") {
            return format!("an object with {}", counted(&amount, "members"));
        }
        match map.get("additionalProperties") {
            Some(member @ Value::Object(_)) if !map.contains_key("properties") => {
                match self.plural(member, 1) {
                    "items" => "an object".to_owned(),
                    noun => format!("an object whose values are {noun}"),
                }
            }
            _ => "an object".to_owned(),
        }
    }
}

/// Phrases as alternatives, each once.
fn either(phrases: Vec<String>) -> String {
    let mut distinct: Vec<String> = Vec::new();
    for phrase in phrases {
        if !distinct.contains(&phrase) {
            distinct.push(phrase);
        }
    }
    listed(distinct.into_iter(), " or ")
}

/// A number within its bounds: "an integer from 1 to 14".
fn range(noun: &str, map: &Map<String, Value>) -> String {
    let bound = |keyword| map.get(keyword).filter(|value| value.is_number());
    let low = bound("minimum");
    let high = bound("maximum");
    let above = bound("exclusiveMinimum");
    let below = bound("exclusiveMaximum");
    let bounds = match (low, high, above, below) {
        (Some(low), Some(high), None, None) => format!("{noun} from {low} to {high}"),
        (low, high, above, below) => {
            let words: Vec<String> = [
                low.map(|low| format!("at least {low}")),
                above.map(|above| format!("greater than {above}")),
                high.map(|high| format!("at most {high}")),
                below.map(|below| format!("less than {below}")),
            ]
            .into_iter()
            .flatten()
            .collect();
            match words.as_slice() {
                [] => noun.to_owned(),
                words => {
                    let words = words.join(" and ");
                    let of = if words.starts_with("at ") { "of " } else { "" };
                    format!("{noun} {of}{words}")
                }
            }
        }
    };
    match bound("multipleOf") {
        Some(step) => format!("{bounds} that is a multiple of {step}"),
        None => bounds,
    }
}

/// A string of its length, pattern and format: "a string of at most 10 characters matching ^[a-z]+$".
fn string(map: &Map<String, Value>) -> String {
    let mut phrase = "a string".to_owned();
    if let Some(amount) = amount(map, "minLength", "maxLength") {
        phrase = format!("{phrase} of {}", counted(&amount, "characters"));
    }
    if let Some(pattern) = map.get("pattern").and_then(Value::as_str) {
        phrase = format!("{phrase} matching {pattern}");
    }
    if let Some(format) = map.get("format").and_then(Value::as_str) {
        phrase = format!("{phrase} in the format {format}");
    }
    phrase
}

/// An amount of what a plural noun names: "at most 1 character".
fn counted(amount: &str, nouns: &str) -> String {
    match nouns.strip_suffix('s') {
        Some(noun) if amount.ends_with(" 1") => format!("{amount} {noun}"),
        _ => format!("{amount} {nouns}"),
    }
}

/// A count within its bounds: "1 to 3", "at most 10", "exactly 2".
fn amount(map: &Map<String, Value>, low: &str, high: &str) -> Option<String> {
    let low = map.get(low).and_then(Value::as_u64).filter(|low| *low > 0);
    let high = map.get(high).and_then(Value::as_u64);
    match (low, high) {
        (Some(low), Some(high)) if low == high => Some(format!("exactly {low}")),
        (Some(low), Some(high)) => Some(format!("{low} to {high}")),
        (Some(low), None) => Some(format!("at least {low}")),
        (None, Some(high)) => Some(format!("at most {high}")),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests;
