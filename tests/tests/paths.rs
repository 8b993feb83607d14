//! What a type refuses for reasons that its schema cannot tell, named with its full path.

use mcp_runtime::testing::Client;
use mcp_tests::{client, error, refused, said};
use serde_json::{Value, json};

mod tools {
    use std::collections::BTreeMap;

    use mcp_runtime::prelude::*;
    use schemars::JsonSchema;
    use serde::Deserialize;

    /// A day of the year 2026, as `03-31`.
    #[derive(Debug, Deserialize, JsonSchema, PartialEq, PartialOrd)]
    #[serde(try_from = "String")]
    pub(crate) struct Day(#[schemars(with = "String")] (u8, u8));

    impl TryFrom<String> for Day {
        type Error = String;

        fn try_from(text: String) -> Result<Self, String> {
            let (month, day) = text.split_once('-').ok_or("a day looks like 03-31")?;
            match (month.parse(), day.parse()) {
                (Ok(month @ 1..=12), Ok(day @ 1..=31)) => Ok(Self((month, day))),
                (Ok(1..=12), _) => Err(format!("month {month} has no day {day}.")),
                _ => Err(format!("there is no month {month}.")),
            }
        }
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "shown by `Debug`")]
    pub(crate) struct Filter {
        since: Option<Vec<Day>>,
        holidays: Option<BTreeMap<String, Day>>,
        event: Option<Event>,
        /// The filter that must hold as well.
        and: Option<Box<Filter>>,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    #[allow(dead_code, reason = "shown by `Debug`")]
    pub(crate) enum Event {
        Never,
        On(Day),
        Between { first: Day, last: Day },
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "shown by `Debug`")]
    pub(crate) struct Span {
        first: Day,
        last: Day,
    }

    /// A span whose end is not before its start.
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(try_from = "Span")]
    #[schemars(with = "Span")]
    #[allow(dead_code, reason = "shown by `Debug`")]
    pub(crate) struct Ordered(Span);

    impl TryFrom<Span> for Ordered {
        type Error = &'static str;

        fn try_from(span: Span) -> Result<Self, &'static str> {
            if span.last < span.first { Err("`last` is before `first`") } else { Ok(Self(span)) }
        }
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    #[allow(dead_code, reason = "shown by `Debug`")]
    pub(crate) enum Rule {
        Days { days: Vec<Day> },
    }

    #[tool]
    fn find(filter: Filter) -> String {
        format!("{filter:?}")
    }

    #[tool]
    fn flat(name: &str, #[arg(flatten)] filter: Filter) -> String {
        format!("{name} {filter:?}")
    }

    #[tool]
    fn within(#[arg(flatten)] span: Ordered) -> String {
        format!("{span:?}")
    }

    #[tool]
    fn apply(rules: Vec<Rule>) -> String {
        format!("{rules:?}")
    }

    #[prompt]
    fn plan(filter: Filter) -> String {
        format!("{filter:?}")
    }
}

fn tools() -> Client {
    client("paths::tools")
}

async fn refused_filter(filter: Value) -> Vec<String> {
    refused(&tools(), "find", json!({ "filter": filter })).await
}

#[tokio::test]
async fn a_field_an_item_and_a_member_have_their_path() {
    assert_eq!(
        refused_filter(json!({ "since": ["01-01", "02-02", "13-01"] })).await,
        ["argument `filter.since[2]`: got \"13-01\", expected a string; there is no month 13"]
    );
    assert_eq!(
        refused_filter(json!({ "and": { "and": { "since": ["12-32"] } } })).await,
        ["argument `filter.and.and.since[0]`: got \"12-32\", expected a string; month 12 has no day 32"]
    );
    assert_eq!(
        refused_filter(json!({ "holidays": { "easter": "04-05", "new year": "1 1" } })).await,
        ["argument `filter.holidays[\"new year\"]`: got \"1 1\", expected a string; a day looks like 03-31"]
    );
}

#[tokio::test]
async fn the_content_of_a_variant_has_its_path() {
    assert_eq!(
        refused_filter(json!({ "event": { "on": "00-01" } })).await,
        ["argument `filter.event.on`: got \"00-01\", expected a string; there is no month 00"]
    );
    assert_eq!(
        refused_filter(json!({ "event": { "between": { "first": "01-01", "last": "01-99" } } })).await,
        ["argument `filter.event.between.last`: got \"01-99\", expected a string; month 01 has no day 99"]
    );
}

#[tokio::test]
async fn flattened_arguments_have_their_path() {
    let client = tools();
    assert_eq!(
        refused(&client, "flat", json!({ "since": ["01-01", "13-01"], "name": "n" })).await,
        ["argument `since[1]`: got \"13-01\", expected a string; there is no month 13"]
    );
    assert_eq!(
        refused(&client, "flat", json!({ "name": "n", "event": { "on": "x" } })).await,
        ["argument `event.on`: got \"x\", expected a string; a day looks like 03-31"]
    );
    assert_eq!(
        refused(&client, "within", json!({ "first": "02-01", "last": "01-01" })).await,
        [
            "the arguments: got {\"first\":\"02-01\",\"last\":\"01-01\"}, expected an object with `first`, `last`; `last` is before `first`"
        ]
    );
}

#[tokio::test]
async fn a_repaired_value_has_its_path() {
    assert_eq!(
        refused_filter(json!("{\"since\": [\"01-01\", \"13-01\"]}")).await,
        ["argument `filter.since[1]`: got \"13-01\", expected a string; there is no month 13"]
    );
    assert_eq!(
        refused_filter(json!({ "since": "[\"01-01\", \"13-01\"]", "event": "{\"on\": \"01-01\"}" })).await,
        ["argument `filter.since[1]`: got \"13-01\", expected a string; there is no month 13"]
    );
    assert_eq!(
        refused(&tools(), "flat", json!({ "name": "n", "and": "{\"since\": [\"13-01\"]}" })).await,
        ["argument `and.since[0]`: got \"13-01\", expected a string; there is no month 13"]
    );
    assert_eq!(
        said(&tools(), "find", json!({ "filter": { "since": "[\"01-31\"]" } })).await,
        "Filter { since: Some([Day((1, 31))]), holidays: None, event: None, and: None }"
    );
}

#[tokio::test]
async fn a_path_ends_where_a_value_is_buffered() {
    let rules = json!([{ "kind": "days", "days": [] }, { "kind": "days", "days": ["13-01"] }]);
    assert_eq!(
        refused(&tools(), "apply", json!({ "rules": rules })).await,
        [
            "argument `rules[1]`: got {\"kind\":\"days\",\"days\":[\"13-01\"]}, expected an object with `kind`: \"days\", `days`; there is no month 13"
        ]
    );
}

#[tokio::test]
async fn the_json_in_a_text_has_its_path() {
    let arguments = json!({ "filter": "{\"since\": [\"01-01\", \"13-01\"]}" });
    let error = error(&tools(), "prompts/get", json!({ "name": "plan", "arguments": arguments })).await;
    assert_eq!(
        error["message"],
        "The call to `plan` has a bad argument:\n\
         - argument `filter.since[1]`: got \"13-01\", expected a string; there is no month 13"
    );
}
