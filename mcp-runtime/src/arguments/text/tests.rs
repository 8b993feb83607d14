//! What each kind of type reads, and what it says when it cannot.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroU8;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{from_text, from_text_list};
use crate::arena::Arena;

macro_rules! read {
    ($type:ty, $text:expr) => {
        from_text::<$type>($text, &Arena::new()).unwrap()
    };
}

macro_rules! refusal {
    ($type:ty, $text:expr) => {
        from_text::<$type>($text, &Arena::new()).unwrap_err().to_string()
    };
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Style {
    Terse,
    ForChildren,
    Like(String),
}

#[derive(Debug, Deserialize, PartialEq)]
struct Point<'a> {
    x: i32,
    name: &'a str,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Id(u64);

#[derive(Debug, Deserialize, PartialEq)]
struct Span(u8, u8);

#[test]
fn integers() {
    assert_eq!(read!(i64, "-5"), -5);
    assert_eq!(read!(u8, " 7\n"), 7);
    assert_eq!(read!(i32, "+3"), 3);
    assert_eq!(read!(u128, &u128::MAX.to_string()), u128::MAX);
    assert_eq!(read!(i128, &i128::MIN.to_string()), i128::MIN);
    assert_eq!(refusal!(i64, "abc"), r#"expected an integer, got "abc""#);
    assert_eq!(refusal!(i64, ""), r#"expected an integer, got """#);
    assert_eq!(refusal!(i64, "-"), r#"expected an integer, got "-""#);
    assert_eq!(refusal!(i64, "1.5"), r#"expected an integer, got "1.5""#);
    assert_eq!(refusal!(u8, "300"), r#"expected an integer from 0 to 255, got "300""#);
    assert_eq!(refusal!(u16, "-1"), r#"expected an integer from 0 to 65535, got "-1""#);
    assert_eq!(refusal!(NonZeroU8, "0"), "expected a nonzero u8, got 0");
}

#[test]
fn floats() {
    assert_eq!(read!(f64, " 1e3 ").to_bits(), 1000f64.to_bits());
    assert_eq!(read!(f32, "-0.5").to_bits(), (-0.5f32).to_bits());
    assert_eq!(refusal!(f64, "NaN"), r#"expected a number, got "NaN""#);
    assert_eq!(refusal!(f64, "1e999"), r#"expected a number, got "1e999""#);
    assert_eq!(refusal!(f32, "ten"), r#"expected a number, got "ten""#);
}

#[test]
fn booleans() {
    assert!(read!(bool, "true"));
    assert!(!read!(bool, " FALSE "));
    assert_eq!(refusal!(bool, "yes"), r#"expected "true" or "false", got "yes""#);
}

#[test]
fn strings_are_borrowed_untouched() {
    let text = String::from(" \"a\" ");
    let arena = Arena::new();
    let read: &str = from_text(&text, &arena).unwrap();
    assert_eq!(read.as_ptr(), text.as_ptr());
    assert_eq!(read, " \"a\" ");
    assert!(arena.is_empty());
    assert_eq!(read!(String, "[1]"), "[1]");
    assert_eq!(read!(Cow<'_, str>, ""), "");
    assert_eq!(read!(&[u8], "é"), "é".as_bytes());
    assert_eq!(read!(char, " "), ' ');
    assert_eq!(refusal!(char, "ab"), r#"expected one character, got "ab""#);
    assert_eq!(refusal!(char, ""), r#"expected one character, got """#);
}

#[test]
fn options_are_there_and_newtypes_transparent() {
    assert_eq!(read!(Option<u8>, "1"), Some(1));
    assert_eq!(read!(Option<&str>, ""), Some(""));
    assert_eq!(read!(Id, "12"), Id(12));
    assert_eq!(refusal!(Id, "x"), r#"expected an integer, got "x""#);
    assert_eq!(refusal!((), "x"), r#"expected an empty text, got "x""#);
    read!((), " ");
}

#[test]
fn enums_by_name() {
    assert_eq!(read!(Style, " terse"), Style::Terse);
    assert_eq!(read!(Style, "for-children"), Style::ForChildren);
    assert_eq!(read!(Style, r#"{"like": "a\nb"}"#), Style::Like("a\nb".into()));
    assert_eq!(refusal!(Style, "Terse"), r#"expected "terse", "for-children" or "like", got "Terse""#);
    assert_eq!(refusal!(Style, "like"), r#""like" comes with data; send JSON such as {"like": ...}"#);
}

#[test]
fn lists_split_at_commas_or_are_json() {
    assert_eq!(read!(Vec<i64>, "1, 2,3"), [1, 2, 3]);
    assert_eq!(read!(Vec<&str>, "a, b,,c"), ["a", " b", "", "c"]);
    assert_eq!(read!(Vec<&str>, ""), [""; 0]);
    assert_eq!(read!(Vec<&str>, r#" ["a,b", "\n"]"#), ["a,b", "\n"]);
    assert_eq!(read!((u8, &str), "1,x"), (1, "x"));
    assert_eq!(read!(Span, "1,2"), Span(1, 2));
    assert_eq!(read!([u8; 2], "[1, 2]"), [1, 2]);
    assert_eq!(refusal!(Vec<u8>, "1,b,3"), r#"item 2: expected an integer, got "b""#);
    assert_eq!(refusal!((u8, u8), "1,2,3"), r#"expected 2 items separated by ",", got "1,2,3""#);
    assert_eq!(
        refusal!(Vec<u8>, "[1,"),
        r#"expected a JSON array, got "[1," (EOF while parsing a value at line 1 column 3)"#
    );
    assert_eq!(
        refusal!(Vec<u8>, "[1, \"b\"]"),
        r#"invalid type: string "b", expected u8 at line 1 column 7"#
    );
}

#[test]
fn a_list_may_have_another_separator() {
    let arena = Arena::new();
    let path: Vec<&str> = from_text_list("a,b/c", '/', &arena).unwrap();
    assert_eq!(path, ["a,b", "c"]);
}

#[test]
fn objects_are_json() {
    assert_eq!(read!(Point<'_>, r#"{"x": 1, "name": "a\nb"}"#), Point { x: 1, name: "a\nb" });
    assert_eq!(read!(BTreeMap<&str, u8>, r#"{"\n": 1}"#), BTreeMap::from([("\n", 1)]));
    assert_eq!(read!(&RawValue, " [1 ,2]").get(), "[1 ,2]");
    assert_eq!(refusal!(Point<'_>, "1,2"), r#"expected a JSON object, got "1,2""#);
    assert_eq!(
        refusal!(Point<'_>, "{x: 1}"),
        r#"expected a JSON object, got "{x: 1}" (key must be a string at line 1 column 2)"#
    );
    assert_eq!(refusal!(Point<'_>, r#"{"x": 1}"#), "missing field `name` at line 1 column 8");
}

#[test]
fn anything_else_is_a_string() {
    assert_eq!(read!(Value, "[1]"), json!("[1]"));
}

#[test]
fn long_texts_are_cut() {
    let text = "é".repeat(61);
    assert_eq!(refusal!(u8, &text), format!("expected an integer, got \"{}\"...", "é".repeat(60)));
}
