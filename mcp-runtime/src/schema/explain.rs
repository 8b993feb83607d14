//! What was wrong with the arguments, said so that a model can put it right.

use std::fmt;

use serde_json::Value;

use super::check::{Check, MISSING, Trust, Violation};
use super::nearest::nearest;
use super::path::{Path, Segment, shown};
use super::phrase::{listed, phrase};
use super::place;
use super::repair::repair;
use super::serde_error;
use super::variants::one_line;

/// What [`Fault::got`] is for an argument that the tool does not have.
const UNKNOWN: &str = "unknown";

/// How much of a description is quoted.
const QUOTED: usize = 100;

/// One argument, or one place in an argument, that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The full path, such as `filter.tags[2]`; empty for all arguments together.
    pub(crate) argument: String,
    /// The value that came, or the word `missing` or `unknown`.
    pub(crate) got: String,
    /// What completes the sentence "expected …".
    pub(crate) expected: String,
    /// What else helps.
    pub(crate) hint: Option<String>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { argument, got, expected, hint } = self;
        match argument.as_str() {
            "" => f.write_str("the arguments: ")?,
            argument => write!(f, "argument `{argument}`: ")?,
        }
        match got.as_str() {
            MISSING | UNKNOWN => write!(f, "{got}, expected {expected}")?,
            value => write!(f, "got {value}, expected {expected}")?,
        }
        match hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

/// Why `value` could not be the argument `name`: a fault for every place in it that the (normalised) schema does not
/// admit, or what the decoding error says, at `path` in the value, where the schema has nothing against it.
///
/// What [`repair`] can put right is no fault; the argument is to be decoded with it first.
pub(crate) fn explain(
    name: &str,
    value: &Value,
    schema: &Value,
    path: &Path,
    decode_error: &str,
) -> Vec<Fault> {
    let repaired = repair(value, schema);
    let value = repaired.as_ref().unwrap_or(value);
    let violations = match Check::compile(schema, Trust::Whole) {
        Ok(Some(check)) => check.run(value),
        _ => Vec::new(),
    };
    if violations.is_empty() {
        return vec![from_error(name, value, schema, path, decode_error)];
    }
    from_violations(name, value, schema, violations)
}

/// The faults for what a [`Check`] found in `value`, the argument `name`.
pub(crate) fn from_violations(
    name: &str,
    value: &Value,
    schema: &Value,
    violations: Vec<Violation>,
) -> Vec<Fault> {
    violations
        .into_iter()
        .map(|violation| {
            let hint = suggestion(value, schema, &violation);
            let missing = place::in_schema(schema, &violation.path.0).filter(|_| violation.got == MISSING);
            let expected = match missing {
                Some(schema) => described(violation.expected, schema),
                None => violation.expected,
            };
            Fault { argument: violation.path.within(name), got: violation.got, expected, hint }
        })
        .collect()
}

/// The fault for an argument that is required and was not given.
pub(crate) fn missing(name: &str, schema: &Value) -> Fault {
    let expected = described(phrase(schema, schema), schema);
    Fault { argument: name.to_owned(), got: MISSING.to_owned(), expected, hint: None }
}

/// What is expected, with what the schema says of its meaning: of something that is missing, nothing else is known.
fn described(expected: String, schema: &Value) -> String {
    match schema.get("description").and_then(Value::as_str).and_then(quoted) {
        Some(description) => format!("{expected} ({description})"),
        None => expected,
    }
}

/// The fault for an argument that the tool, whose arguments are `known`, does not have.
pub(crate) fn unknown(name: &str, known: &[&str]) -> Fault {
    let names = known.iter().map(|name| format!("`{name}`"));
    Fault {
        argument: name.to_owned(),
        got: UNKNOWN.to_owned(),
        expected: match known {
            [] => "no arguments".to_owned(),
            [_] => format!("only {}", listed(names, ", ")),
            _ => format!("one of {}", listed(names, ", ")),
        },
        hint: nearest(name, known.iter().copied()).map(did_you_mean),
    }
}

/// All faults of a call in one text.
pub(crate) fn render(tool: &str, faults: &[Fault]) -> String {
    use fmt::Write as _;

    let mut text = match faults {
        [_] => format!("The call to `{tool}` has a bad argument:"),
        _ => format!("The call to `{tool}` has {} bad arguments:", faults.len()),
    };
    for fault in faults {
        let _ = write!(text, "\n- {fault}");
    }
    text
}

/// The fault that the decoding error, at `path` in the value, tells of.
fn from_error(name: &str, value: &Value, schema: &Value, path: &Path, error: &str) -> Fault {
    let decoding = serde_error::read(error);
    let path = match &decoding.member {
        Some(member) => &path.key(member),
        None => path,
    };
    let expected = decoding.expected.unwrap_or_else(|| match place::in_schema(schema, &path.0) {
        Some(part) => phrase(part, schema),
        None => "a value".to_owned(),
    });
    Fault {
        argument: path.within(name),
        got: decoding.got.unwrap_or_else(|| shown(place::in_value(value, path).unwrap_or(value))),
        expected,
        hint: decoding.message.map(|message| message.trim_end_matches('.').to_owned()),
    }
}

/// The constant or the property that was probably meant.
fn suggestion(value: &Value, schema: &Value, violation: &Violation) -> Option<String> {
    let found = place::in_value(value, &violation.path);
    if let Some(Value::String(text)) = found
        && let Some(constants) = violation.expected.strip_prefix("one of ")
    {
        let constants: Vec<String> =
            constants.split(", ").filter_map(|constant| serde_json::from_str(constant).ok()).collect();
        let meant = nearest(text, constants.iter().map(String::as_str))?;
        return Some(format!("did you mean {}?", Value::from(meant)));
    }
    let (last, before) = violation.path.0.split_last()?;
    if let Segment::Key(key) = last
        && violation.expected.starts_with("no property of this name")
    {
        let place = place::in_schema(schema, before)?;
        let properties = place.get("properties")?.as_object()?;
        return nearest(key, properties.keys().map(String::as_str)).map(did_you_mean);
    }
    None
}

fn did_you_mean(name: &str) -> String {
    format!("did you mean `{name}`?")
}

/// The first paragraph of a description, in one line and without its full stop.
fn quoted(description: &str) -> Option<String> {
    let paragraph = one_line(description.split("\n\n").next()?.split("\n- ").next()?);
    let paragraph = paragraph.trim_end_matches('.');
    let quoted = match paragraph.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", paragraph[..end].trim_end()),
        None => paragraph.to_owned(),
    };
    (!quoted.is_empty()).then_some(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(faults: &[Fault]) -> Vec<String> {
        faults.iter().map(Fault::to_string).collect()
    }

    #[test]
    fn every_place_is_named_with_what_is_allowed() {
        let schema = json!({
            "type": "object",
            "properties": {
                "tags": { "type": "array", "items": { "type": "string", "maxLength": 3 } },
                "unit": { "type": "string", "enum": ["metric", "imperial"] },
                "limit": { "type": "integer", "minimum": 1, "maximum": 9 },
            },
            "required": ["limit"],
            "additionalProperties": false,
        });
        let value = json!({ "tags": ["a", 5, "abcd"], "unit": "metrics", "limits": 3 });
        assert_eq!(
            said(&explain("filter", &value, &schema, &Path::default(), "irrelevant")),
            [
                "argument `filter.limit`: missing, expected an integer from 1 to 9",
                "argument `filter.tags[1]`: got 5, expected a string of at most 3 characters",
                "argument `filter.tags[2]`: got \"abcd\", expected a string of at most 3 characters",
                "argument `filter.unit`: got \"metrics\", expected one of \"metric\", \"imperial\"; did you mean \"metric\"?",
                "argument `filter.limits`: got 3, expected no property of this name (there are: `tags`, `unit`, `limit`); did you mean `limit`?",
            ]
        );
    }

    #[test]
    fn what_can_be_repaired_is_no_fault() {
        let schema = json!({
            "type": "object",
            "properties": { "a": { "type": "integer" }, "b": { "type": "integer" }, "c": { "type": "integer" } },
        });
        assert_eq!(
            said(&explain("o", &json!({ "a": "1", "b": "x", "c": null }), &schema, &Path::default(), "")),
            ["argument `o.b`: got \"x\", expected an integer"]
        );
    }

    #[test]
    fn the_decoding_error_speaks_where_the_schema_has_nothing_to_say() {
        let number = json!({ "type": "integer", "minimum": 0 });
        assert_eq!(
            said(&explain(
                "n",
                &json!(5_000_000_000_u64),
                &number,
                &Path::default(),
                "invalid value: integer `5000000000`, expected u32 at line 1 column 10"
            )),
            ["argument `n`: got 5000000000, expected an integer from 0 to 4294967295"]
        );
        let region = json!({ "type": "string" });
        assert_eq!(
            said(&explain(
                "region",
                &json!("mars"),
                &region,
                &Path::default(),
                "no such region. at line 1 column 6"
            )),
            ["argument `region`: got \"mars\", expected a string; no such region"]
        );
        let open = json!({ "type": "object", "properties": { "a": { "type": "integer" } } });
        assert_eq!(
            said(&explain("o", &json!({}), &open, &Path::default(), "missing field `a` at line 1 column 2")),
            ["argument `o.a`: missing, expected an integer"]
        );
        assert_eq!(
            said(&explain(
                "o",
                &json!({ "a": 1 }),
                &open,
                &Path::default(),
                "data did not match any variant of untagged enum Foo"
            )),
            ["argument `o`: got {\"a\":1}, expected an object"]
        );
    }

    #[test]
    fn the_decoding_error_is_about_the_value_at_its_path() {
        let schema = json!({
            "type": "object",
            "properties": {
                "since": { "type": "array", "items": { "type": "string" } },
                "inner": { "type": "object", "properties": { "id": { "type": "integer" } } },
            },
        });
        let value = json!({ "since": ["a", "b"], "inner": {} });
        let second = Path(vec![Segment::Key("since".to_owned()), Segment::Index(1)]);
        let refusal = "there is no month 13 at line 1 column 19";
        assert_eq!(
            said(&explain("filter", &value, &schema, &second, refusal)),
            ["argument `filter.since[1]`: got \"b\", expected a string; there is no month 13"]
        );
        assert_eq!(
            said(&explain("", &value, &schema, &second, refusal)),
            ["argument `since[1]`: got \"b\", expected a string; there is no month 13"]
        );
        let inner = Path(vec![Segment::Key("inner".to_owned())]);
        assert_eq!(
            said(&explain("filter", &value, &schema, &inner, "missing field `id` at line 1 column 2")),
            ["argument `filter.inner.id`: missing, expected an integer"]
        );
        assert_eq!(
            said(&explain("", &json!({}), &schema, &Path::default(), "nothing is asked for")),
            ["the arguments: got {}, expected an object; nothing is asked for"]
        );
    }

    #[test]
    fn a_missing_argument_says_what_it_is() {
        let schema = json!({ "type": "string", "description": "City name or \"lat,lon\".\n\nMore." });
        assert_eq!(
            missing("location", &schema).to_string(),
            "argument `location`: missing, expected a string (City name or \"lat,lon\")"
        );
        assert_eq!(
            missing("days", &json!({ "type": "integer", "minimum": 1, "maximum": 14 })).to_string(),
            "argument `days`: missing, expected an integer from 1 to 14"
        );
        let long = json!({ "description": "word ".repeat(50) });
        assert_eq!(missing("a", &long).expected, format!("any value ({}word…)", "word ".repeat(19)));
    }

    #[test]
    fn an_unknown_argument_names_the_known_ones() {
        assert_eq!(
            unknown("loc", &["location", "days"]).to_string(),
            "argument `loc`: unknown, expected one of `location`, `days`; did you mean `location`?"
        );
        assert_eq!(
            unknown("verbose", &["path"]).to_string(),
            "argument `verbose`: unknown, expected only `path`"
        );
        assert_eq!(unknown("verbose", &[]).to_string(), "argument `verbose`: unknown, expected no arguments");
    }

    #[test]
    fn all_faults_are_one_text() {
        let schema = json!({ "type": "integer", "minimum": 1, "maximum": 14 });
        let mut faults = explain("days", &json!(42), &schema, &Path::default(), "");
        assert_eq!(
            render("weather", &faults),
            "The call to `weather` has a bad argument:\n- argument `days`: got 42, expected an integer from 1 to 14"
        );
        faults.push(missing("location", &json!({ "type": "string" })));
        assert_eq!(
            render("weather", &faults),
            "The call to `weather` has 2 bad arguments:\n\
             - argument `days`: got 42, expected an integer from 1 to 14\n\
             - argument `location`: missing, expected a string"
        );
    }
}
