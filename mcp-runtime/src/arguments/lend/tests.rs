//! What can be borrowed from JSON with escapes in it, and what passes by untouched.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::from_json;
use crate::arena::Arena;

/// Deserializes out of an arena that outlives the assertion.
macro_rules! read {
    ($type:ty, $json:expr) => {
        from_json::<$type>($json, &Arena::new()).unwrap()
    };
}

/// Whether anything was copied to the arena.
fn stores<T: for<'a> Deserialize<'a> + Debug>(json: &str) -> bool {
    let arena = Arena::new();
    from_json::<T>(json, &arena).unwrap();
    !arena.is_empty()
}

#[derive(Debug, Deserialize, PartialEq)]
struct Place<'a> {
    name: &'a str,
    #[serde(borrow)]
    note: Option<&'a str>,
    #[serde(borrow)]
    tags: Vec<&'a str>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Wrapped<'a>(&'a str);

#[derive(Debug, Deserialize, PartialEq)]
enum Shape<'a> {
    Point,
    Named(&'a str),
    Pair(&'a str, i32),
    Full {
        label: &'a str,
        #[serde(borrow)]
        inner: Box<Option<Shape<'a>>>,
    },
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(untagged)]
enum Either<'a> {
    Number(i64),
    Text(&'a str),
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(tag = "kind")]
enum Tagged<'a> {
    Note { text: &'a str },
}

#[derive(Debug, Deserialize, PartialEq)]
struct Open<'a> {
    id: u8,
    #[serde(flatten, borrow)]
    rest: HashMap<&'a str, &'a str>,
}

#[test]
fn a_str_may_be_escaped() {
    assert_eq!(read!(&str, r#""plain""#), "plain");
    assert_eq!(read!(&str, r#""a\nb""#), "a\nb");
    assert_eq!(read!(&str, r#""caf\u00e9""#), "café");
    assert_eq!(read!(&str, r#""\ud83d\ude00""#), "😀");
    assert_eq!(read!(&str, r#" "" "#), "");
}

#[test]
fn containers_of_str_may_be_escaped() {
    assert_eq!(read!(Option<&str>, r#""a\tb""#), Some("a\tb"));
    assert_eq!(read!(Option<&str>, "null"), None);
    assert_eq!(read!(Vec<&str>, r#"["a", "\"", "\\"]"#), ["a", "\"", "\\"]);
    assert_eq!(read!((&str, u8), r#"["\/", 1]"#), ("/", 1));
    assert_eq!(read!(Wrapped<'_>, r#""\u0041""#), Wrapped("A"));
    assert_eq!(
        read!(BTreeMap<&str, &str>, r#"{"k\n": "v\n", "plain": "text"}"#),
        BTreeMap::from([("k\n", "v\n"), ("plain", "text")])
    );
    assert_eq!(
        read!(
            Place<'_>,
            r#"{"na\u006de": "a\nb", "note": "\u00e9", "tags": ["x", "\ty"], "ignored": ["\n"]}"#
        ),
        Place { name: "a\nb", note: Some("é"), tags: vec!["x", "\ty"] }
    );
}

#[test]
fn a_cow_borrows_where_it_is_told_to() {
    #[derive(Deserialize)]
    struct Text<'a> {
        #[serde(borrow)]
        text: Cow<'a, str>,
    }
    let arena = Arena::new();
    let read: Text<'_> = from_json(r#"{"text": "a\nb"}"#, &arena).unwrap();
    assert!(matches!(read.text, Cow::Borrowed("a\nb")));
    assert_eq!(read!(Cow<'_, str>, r#""a\nb""#), "a\nb");
}

#[test]
fn enums_lend_in_every_representation() {
    assert_eq!(read!(Shape<'_>, r#""Point""#), Shape::Point);
    assert_eq!(read!(Shape<'_>, r#"{"Named": "\n"}"#), Shape::Named("\n"));
    assert_eq!(read!(Shape<'_>, r#"{"Pair": ["\n", 2]}"#), Shape::Pair("\n", 2));
    assert_eq!(
        read!(Shape<'_>, r#"{"Full": {"label": "\u0061", "inner": {"Named": "\u0062"}}}"#),
        Shape::Full { label: "a", inner: Box::new(Some(Shape::Named("b"))) }
    );
    assert_eq!(read!(Vec<Either<'_>>, r#"[1, "a\nb"]"#), [Either::Number(1), Either::Text("a\nb")]);
    assert_eq!(read!(Tagged<'_>, r#"{"text": "\n", "kind": "Note"}"#), Tagged::Note { text: "\n" });
    assert_eq!(
        read!(Open<'_>, r#"{"id": 1, "k\n": "v\n"}"#),
        Open { id: 1, rest: HashMap::from([("k\n", "v\n")]) }
    );
}

#[test]
fn owned_types_cost_no_arena() {
    assert!(!stores::<String>(r#""a\nb""#));
    assert!(!stores::<Vec<Option<String>>>(r#"["a\nb", null]"#));
    assert!(!stores::<BTreeMap<String, char>>(r#"{"a\nb": "\n"}"#));
    assert!(!stores::<Value>(r#"{"a": ["plain"]}"#));
}

#[test]
fn unescaped_strings_are_lent_from_the_input() {
    let json = String::from(r#"["plain"]"#);
    let arena = Arena::new();
    let read: Vec<&str> = from_json(&json, &arena).unwrap();
    assert_eq!(read[0].as_ptr(), json[2..].as_ptr());
    assert!(arena.is_empty());
}

#[test]
fn raw_values_pass_straight_through() {
    #[derive(Deserialize)]
    struct Raw<'a> {
        #[serde(borrow)]
        lent: &'a RawValue,
        owned: Box<RawValue>,
    }
    let json = r#"{"lent": ["\n", 1.0], "owned": {"k" : "\u00e9"}}"#;
    let arena = Arena::new();
    let read: Raw<'_> = from_json(json, &arena).unwrap();
    assert_eq!(read.lent.get(), r#"["\n", 1.0]"#);
    assert_eq!(read.owned.get(), r#"{"k" : "\u00e9"}"#);
    assert!(arena.is_empty());
}

#[test]
fn numbers_keep_their_width() {
    let max = u128::MAX.to_string();
    let min = i128::MIN.to_string();
    assert_eq!(from_json::<u128>(&max, &Arena::new()).unwrap(), u128::MAX);
    assert_eq!(from_json::<i128>(&min, &Arena::new()).unwrap(), i128::MIN);
    assert_eq!(read!((u8, f64, bool, ()), "[255, 0.5, true, null]"), (255, 0.5, true, ()));
    assert_eq!(read!(HashMap<u32, char>, r#"{"7": "\u00e9"}"#), HashMap::from([(7, 'é')]));
}

#[test]
fn any_value_is_read_whole() {
    let json = r#"{"a\n": [1, -1, 0.5, null, true, "\u00e9"], "b": {}}"#;
    assert_eq!(read!(Value, json), json!({"a\n": [1, -1, 0.5, null, true, "é"], "b": {}}));
}

#[test]
fn trailing_characters_are_an_error() {
    let arena = Arena::new();
    let error = from_json::<&str>(r#""a" "b""#, &arena).unwrap_err().error;
    assert_eq!(error.to_string(), "trailing characters at line 1 column 5");
    let error = from_json::<u8>("1 2", &arena).unwrap_err().error;
    assert_eq!(error.to_string(), "trailing characters at line 1 column 3");
}

#[test]
fn nesting_stays_bounded() {
    let json = "[".repeat(100_000);
    let error = from_json::<Value>(&json, &Arena::new()).unwrap_err().error;
    assert_eq!(error.to_string(), "recursion limit exceeded at line 1 column 128");
}
