//! What of a field's schema an answer does not keep to, in words for the person who gave it.

use std::cmp::Ordering;

use serde_json::{Map, Number, Value};

use super::format;
use crate::schema::number::{compare, is_integral};
use crate::schema::path::shown;

/// Everything that is wrong; each continues the sentence "*field*: …".
pub(super) fn problems(schema: &Map<String, Value>, answer: &Value) -> Vec<String> {
    let ty = schema.get("type").and_then(Value::as_str);
    match (ty, answer) {
        (Some("string"), Value::String(text)) => match options(schema) {
            Some(options) if options.iter().any(|(value, _)| value == text) => Vec::new(),
            Some(options) => vec![format!("must be one of {}, not {}", titles(&options), shown(answer))],
            None => text_problems(schema, text),
        },
        (Some("string"), _) => match options(schema) {
            Some(options) => vec![format!("must be one of {}, not {}", titles(&options), kind(answer))],
            None => vec![format!("must be text, not {}", kind(answer))],
        },
        (Some("integer"), Value::Number(number)) if !is_integral(number) => {
            vec![format!("must be a whole number, not {number}")]
        }
        (Some("integer" | "number"), Value::Number(number)) => {
            range_problem(schema, number).into_iter().collect()
        }
        (Some("integer"), _) => vec![format!("must be a whole number, not {}", kind(answer))],
        (Some("number"), _) => vec![format!("must be a number, not {}", kind(answer))],
        (Some("boolean"), Value::Bool(_)) => Vec::new(),
        (Some("boolean"), _) => vec![format!("must be true or false, not {}", kind(answer))],
        (Some("array"), Value::Array(items)) => selection_problems(schema, items),
        (Some("array"), _) => vec![format!("must be a list of choices, not {}", kind(answer))],
        _ => Vec::new(),
    }
}

fn text_problems(schema: &Map<String, Value>, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let length = text.chars().count() as u64;
    if let Some(count) = broken_count(schema, "minLength", "maxLength", length) {
        let noun = if count.ends_with(" 1") || count == "1" { "character" } else { "characters" };
        problems.push(format!("must have {count} {noun}, not {length}"));
    }
    let format = schema.get("format").and_then(Value::as_str).and_then(format::find);
    if let Some(format) = format.filter(|format| !(format.admits)(text)) {
        problems.push(format!("must be {}, not {}", format.phrase, shown(&text.into())));
    }
    problems
}

fn range_problem(schema: &Map<String, Value>, number: &Number) -> Option<String> {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_number);
    let (low, high) = (bound("minimum"), bound("maximum"));
    let low_kept = low.is_none_or(|low| compare(number, low) != Ordering::Less);
    let high_kept = high.is_none_or(|high| compare(number, high) != Ordering::Greater);
    if low_kept && high_kept {
        return None;
    }
    Some(match (low, high) {
        (Some(low), Some(high)) => format!("must be from {low} to {high}, not {number}"),
        (Some(low), None) => format!("must be at least {low}, not {number}"),
        (None, high) => format!("must be at most {}, not {number}", high?),
    })
}

/// As many wrong choices are named one by one: what the client is told stays small, whatever it sent.
const SHOWN: usize = 5;

fn selection_problems(schema: &Map<String, Value>, items: &[Value]) -> Vec<String> {
    let mut problems = Vec::new();
    let options = schema.get("items").and_then(Value::as_object).and_then(options).unwrap_or_default();
    let is_known =
        |item: &Value| item.as_str().is_some_and(|text| options.iter().any(|(value, _)| *value == text));
    let mut unknown = items.iter().filter(|item| !is_known(item));
    for item in unknown.by_ref().take(SHOWN) {
        problems.push(format!("{} is not one of {}", shown(item), titles(&options)));
    }
    match unknown.count() {
        0 => {}
        more => problems.push(format!("and {more} more that are not")),
    }
    let chosen = items.len() as u64;
    if let Some(count) = broken_count(schema, "minItems", "maxItems", chosen) {
        problems.push(format!("needs {count} of the choices, not {chosen}"));
    }
    problems
}

/// The count that is demanded, where `count` is another.
fn broken_count(schema: &Map<String, Value>, low: &str, high: &str, count: u64) -> Option<String> {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
    let (low, high) = (bound(low), bound(high));
    if low.is_none_or(|low| low <= count) && high.is_none_or(|high| count <= high) {
        return None;
    }
    Some(match (low.filter(|low| *low > 0), high) {
        (Some(low), Some(high)) if low == high => low.to_string(),
        (Some(low), Some(high)) => format!("{low} to {high}"),
        (Some(low), None) => format!("at least {low}"),
        (None, high) => format!("at most {}", high?),
    })
}

/// The choices with what the person sees of them, where the schema is one of choices.
fn options(schema: &Map<String, Value>) -> Option<Vec<(&str, &str)>> {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return Some(values.iter().filter_map(Value::as_str).map(|value| (value, value)).collect());
    }
    let titled = schema.get("oneOf").or_else(|| schema.get("anyOf"))?.as_array()?;
    Some(titled.iter().filter_map(titled_option).collect())
}

fn titled_option(option: &Value) -> Option<(&str, &str)> {
    let value = option.get("const")?.as_str()?;
    Some((value, option.get("title").and_then(Value::as_str).unwrap_or(value)))
}

fn titles(options: &[(&str, &str)]) -> String {
    let titles: Vec<&str> = options.iter().map(|(_, title)| *title).collect();
    titles.join(", ")
}

fn kind(answer: &Value) -> &'static str {
    match answer {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a group of values",
    }
}
