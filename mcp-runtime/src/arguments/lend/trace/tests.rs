//! Where a failure is said to be.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::Value;

use super::super::from_json;
use crate::arena::Arena;

/// The path and the message of the failure to read `json`.
macro_rules! failure {
    ($type:ty, $json:expr) => {{
        let arena = Arena::new();
        let failure = from_json::<$type>($json, &arena).map(|_| ()).unwrap_err();
        let error = failure.error.to_string();
        (failure.path.to_string(), error.split(" at line ").next().unwrap().to_owned())
    }};
}

fn at(path: &str, message: &str) -> (String, String) {
    (path.to_owned(), message.to_owned())
}

/// A day that no schema can tell from other strings.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Day(u32);

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let day = text.strip_prefix("day ").and_then(|number| number.parse().ok());
        day.map(Self).ok_or_else(|| serde::de::Error::custom(format_args!("`{text}` is no day")))
    }
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only deserialized")]
struct Filter<'a> {
    #[serde(borrow)]
    name: Option<&'a str>,
    since: Vec<Day>,
    span: Option<(u8, Day)>,
    by_id: Option<HashMap<u32, Day>>,
    by_day: Option<HashMap<Day, u8>>,
    inner: Option<Box<Filter<'a>>>,
    event: Option<Event>,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only deserialized")]
enum Event {
    Never,
    On(Day),
    Between(Day, Day),
    Around { day: Day, tags: Vec<Event> },
}

#[test]
fn fields_items_and_keys_are_steps() {
    assert_eq!(
        failure!(Filter<'_>, r#"{"name": "a\nb", "since": ["day 1", "day 2", "x"]}"#),
        at("since[2]", "`x` is no day")
    );
    assert_eq!(
        failure!(Filter<'_>, r#"{"since": [], "ignored": [1], "inner": {"si\u006ece": ["x"]}}"#),
        at("inner.since[0]", "`x` is no day")
    );
    assert_eq!(failure!(Filter<'_>, r#"{"span": [1, "x"]}"#), at("span[1]", "`x` is no day"));
    assert_eq!(
        failure!(Filter<'_>, r#"{"by_id": {"7": "day 1", "8": "x"}}"#),
        at("by_id.8", "`x` is no day")
    );
    assert_eq!(
        failure!(BTreeMap<String, Day>, r#"{"a": "day 1", "a": "day 2", "b\n": "x"}"#),
        at(r#"["b\n"]"#, "`x` is no day")
    );
    assert_eq!(failure!(Filter<'_>, r#"[null, ["x"]]"#), at("[1][0]", "`x` is no day"));
    assert_eq!(
        failure!(Vec<(u8, u8)>, "[[1, 2], [1]]"),
        at("[1]", "invalid length 1, expected a tuple of size 2")
    );
}

#[test]
fn the_content_of_a_variant_is_inside_its_name() {
    assert_eq!(failure!(Filter<'_>, r#"{"event": {"On": "x"}}"#), at("event.On", "`x` is no day"));
    assert_eq!(failure!(Event, r#"{"Between": ["day 1", "x"]}"#), at("Between[1]", "`x` is no day"));
    assert_eq!(
        failure!(Event, r#"{"Around": {"day": "day 1", "tags": ["Never", {"On": "x"}]}}"#),
        at("Around.tags[1].On", "`x` is no day")
    );
    assert_eq!(failure!(Event, r#"{"Around": {"tags": []}}"#), at("Around", "missing field `day`"));
    assert_eq!(
        failure!(Vec<Event>, r#"["Never", "On"]"#),
        at("[1]", "invalid type: unit variant, expected newtype variant")
    );
    assert_eq!(
        failure!(Vec<Event>, r#"["Never", {"Off": 1}]"#),
        at("[1]", "unknown variant `Off`, expected one of `Never`, `On`, `Between`, `Around`")
    );
}

#[test]
fn a_refused_key_is_a_fault_of_its_object() {
    #[derive(Deserialize, PartialEq, Eq, Hash)]
    enum Key {
        #[allow(dead_code, reason = "only deserialized")]
        Named(String),
    }
    assert_eq!(failure!(Filter<'_>, r#"{"by_day": {"day 1": 1, "x": 2}}"#), at("by_day", "`x` is no day"));
    assert_eq!(
        failure!(Vec<HashMap<Key, u8>>, r#"[{"Named": 1}]"#),
        at("[0]", "invalid type: unit variant, expected newtype variant")
    );
}

#[test]
fn the_path_ends_where_serde_buffers() {
    #[derive(Deserialize)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "only deserialized")]
    enum Either {
        Days(Vec<Day>),
        Number(u8),
    }
    #[derive(Deserialize)]
    #[serde(tag = "kind")]
    #[allow(dead_code, reason = "only deserialized")]
    enum Tagged {
        Note { days: Vec<Day> },
    }
    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only deserialized")]
    struct Open {
        first: Vec<Day>,
        #[serde(flatten)]
        rest: HashMap<String, Day>,
    }
    assert_eq!(
        failure!(Vec<Either>, r#"[1, ["x"]]"#),
        at("[1]", "data did not match any variant of untagged enum Either")
    );
    assert_eq!(failure!(Vec<Tagged>, r#"[{"kind": "Note", "days": ["x"]}]"#), at("[0]", "`x` is no day"));
    assert_eq!(
        failure!(Vec<Tagged>, r#"[{"days": ["x"], "kind": "Memo"}]"#),
        at("[0].kind", "unknown variant `Memo`, expected `Note`")
    );
    assert_eq!(
        failure!(Vec<Open>, r#"[{"more": "day 1", "first": ["x"]}]"#),
        at("[0].first[0]", "`x` is no day")
    );
    assert_eq!(failure!(Vec<Open>, r#"[{"more": "x", "first": []}]"#), at("[0]", "`x` is no day"));
}

#[test]
fn a_failure_that_a_type_ignores_leaves_no_trace() {
    /// Any list; whether it is one of days.
    struct Lenient;

    impl<'de> Deserialize<'de> for Lenient {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let _ = <Vec<Day>>::deserialize(deserializer);
            Ok(Self)
        }
    }
    assert_eq!(failure!((Lenient, Day), r#"[["day 1", "x"], "y"]"#), at("[1]", "`y` is no day"));
    assert_eq!(
        failure!(Vec<(Lenient, Vec<Day>)>, r#"[[["x"], []], [["x"], ["day 1", "y"]]]"#),
        at("[1][1][1]", "`y` is no day")
    );
}

#[test]
fn a_value_as_a_whole_has_no_path() {
    assert_eq!(failure!(Day, r#""x""#), at("", "`x` is no day"));
    assert_eq!(failure!(Vec<u8>, "[1] 2"), at("", "trailing characters"));
    assert_eq!(failure!(Vec<u8>, r#"{"a": 1}"#), at("", "invalid type: map, expected a sequence"));
}

#[test]
fn a_path_is_as_deep_as_a_value_can_be() {
    let json = "[".repeat(100_000);
    let (path, error) = failure!(Value, &json);
    assert_eq!(path, "[0]".repeat(127));
    assert_eq!(error, "recursion limit exceeded");
}

#[test]
fn a_trace_that_does_not_fit_ends_early() {
    struct Early;

    impl<'de> Visitor<'de> for Early {
        type Value = Self;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
            while items.next_element::<IgnoredAny>()?.is_some() {}
            Ok(self)
        }
    }

    impl<'de> Deserialize<'de> for Early {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_seq(Self)
        }
    }
    assert_eq!(failure!(Vec<Early>, "[[1], [2, ]]"), at("[1]", "trailing comma"));
}
