//! What becomes of a tool's arguments: server/tools, Error Handling, and DESIGN, decision 8. A bad argument is named
//! with what came, what was expected, and what is allowed; several faults are one answer.

use mcp_runtime::testing::Client;
use mcp_tests::{client, error, listed, refused, request, said};
use serde_json::{Value, json};

#[allow(dead_code, reason = "fields are read by `Debug`")]
mod tools {
    use std::borrow::Cow;
    use std::collections::{BTreeMap, HashSet};

    use mcp_runtime::prelude::*;
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::{Value, json};

    #[tool]
    #[allow(clippy::too_many_arguments, reason = "one of each")]
    fn bounded(
        #[arg(range(1..=14))] days: Option<u8>,
        #[arg(range(-1.5..2.5))] ratio: Option<f64>,
        #[arg(range(10..))] least: Option<i64>,
        #[arg(length(2..=4))] word: Option<String>,
        #[arg(length(1..))] list: Option<Vec<u8>>,
        #[arg(length(..=1))] map: Option<BTreeMap<String, u8>>,
        #[arg(pattern = "^[a-z]+$")] lower: Option<&str>,
        #[arg(length(..=3), pattern = "^x")] both: Option<Cow<'_, str>>,
    ) -> String {
        format!("{days:?} {ratio:?} {least:?} {word:?} {list:?} {map:?} {lower:?} {both:?}")
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "shown by `Debug`")]
    struct Filter {
        #[schemars(range(min = 1, max = 9))]
        limit: Option<u32>,
        #[schemars(length(min = 1), inner(length(max = 3)))]
        tags: Vec<String>,
        #[schemars(regex(pattern = "^[A-Z]{2}$"))]
        country: Option<String>,
        #[serde(default)]
        more: Vec<Sub>,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "shown by `Debug`")]
    struct Sub {
        #[schemars(range(max = 5))]
        n: i64,
    }

    #[tool]
    fn nested(filter: Filter) -> String {
        format!("{filter:?}")
    }

    #[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Unit {
        Metric,
        Imperial,
    }

    #[tool]
    fn several(location: &str, days: u8, unit: Unit, precise: bool) -> String {
        format!("{location} {days} {unit:?} {precise}")
    }

    #[tool(strict)]
    fn strict(location: String, days: Option<u8>) -> String {
        format!("{location} {days:?}")
    }

    #[tool(strict)]
    fn strictly_nothing() -> &'static str {
        "nothing"
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "shown by `Debug`")]
    struct Paging {
        /// The page.
        page: u32,
        #[schemars(range(max = 100))]
        size: Option<u32>,
    }

    #[tool]
    fn flat(query: String, #[arg(flatten)] paging: Paging) -> String {
        format!("{query} {paging:?}")
    }

    #[tool(strict)]
    fn strictly_flat(query: String, #[arg(flatten)] paging: Paging) -> String {
        format!("{query} {paging:?}")
    }

    fn computed() -> Vec<String> {
        vec!["computed".to_owned()]
    }

    #[tool]
    #[allow(clippy::too_many_arguments, reason = "one of each")]
    fn defaults(
        #[arg(default = 3)] days: u8,
        #[arg(default = "metric")] unit: String,
        #[arg(default = "lent")] lent: &str,
        #[arg(default = 0.5)] ratio: f64,
        #[arg(default = true)] flag: bool,
        #[arg(default = computed())] list: Vec<String>,
        #[arg(default = Unit::Imperial)] choice: Unit,
    ) -> String {
        format!("{days} {unit} {lent} {ratio} {flag} {list:?} {choice:?}")
    }

    #[tool]
    fn slices(numbers: &[f64], words: &[&str], #[arg(default = [1, 2])] given: &[u8]) -> String {
        format!("{numbers:?} {words:?} {given:?}")
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    struct Borrowing<'a> {
        name: &'a str,
        #[serde(borrow)]
        tags: Vec<&'a str>,
    }

    #[tool]
    fn borrowed(text: &str, maybe: Option<&str>, inner: Borrowing<'_>) -> String {
        json!([text, maybe, inner.name, inner.tags]).to_string()
    }

    fn by_hand() -> Value {
        json!({
            "type": "object",
            "properties": {
                "a": { "type": "integer", "minimum": 1 },
                "b": { "type": "string", "enum": ["x", "y"] },
                "any": { "type": "array", "items": { "$ref": "#/$defs/Item" } },
            },
            "required": ["a"],
            "dependentRequired": { "b": ["any"] },
            "additionalProperties": false,
            "$defs": { "Item": { "type": "integer" } },
        })
    }

    #[tool(input_schema = by_hand)]
    fn hand_written(a: i64, b: Option<String>, any: Option<Value>) -> String {
        format!("{a} {b:?} {}", any.unwrap_or_default())
    }

    fn even() -> Value {
        json!({ "type": "integer", "multipleOf": 2, "description": "An even number." })
    }

    fn list() -> Value {
        json!({ "type": "array", "items": { "type": "integer" }, "maxItems": 2 })
    }

    #[tool]
    fn hand_written_argument(
        #[arg(schema = even)] even: i64,
        #[arg(schema = list, default = Value::Null)] list: Value,
    ) -> String {
        format!("{even} {list}")
    }

    #[tool(name = "named")]
    fn renamed(#[arg(name = "from-date")] from: &str, r#type: &str) -> String {
        format!("{from} {type}")
    }

    #[tool]
    fn sets(unique: HashSet<u8>, pair: (u8, String), nothing: ()) -> String {
        format!("{} {pair:?} {nothing:?}", unique.len())
    }
}

fn tools() -> Client {
    client("arguments::tools")
}

/// "What a schema states is enforced (ranges, lengths, patterns)": within the bounds, the bounds included.
#[tokio::test]
async fn values_within_their_bounds_are_taken() {
    let client = tools();
    for (arguments, expected) in [
        (json!({ "days": 1, "ratio": -1.5 }), "Some(1) Some(-1.5) None None None None None None"),
        (
            json!({ "days": 14, "ratio": 2.499, "least": 10 }),
            "Some(14) Some(2.499) Some(10) None None None None None",
        ),
        (json!({ "word": "äöüß", "list": [1] }), "None None None Some(\"äöüß\") Some([1]) None None None"),
        (json!({ "map": {}, "lower": "abc" }), "None None None None None Some({}) Some(\"abc\") None"),
        (json!({ "both": "xyz" }), "None None None None None None None Some(\"xyz\")"),
        (json!({ "days": null, "word": null }), "None None None None None None None None"),
    ] {
        assert_eq!(said(&client, "bounded", arguments).await, expected);
    }
}

/// Outside of them they are refused, each with the whole of what is expected.
#[tokio::test]
async fn values_out_of_bounds_are_refused() {
    let client = tools();
    for (argument, value, expected) in [
        ("days", json!(0), "got 0, expected an integer from 1 to 14"),
        ("days", json!(15), "got 15, expected an integer from 1 to 14"),
        ("days", json!("15"), "got 15, expected an integer from 1 to 14"),
        ("days", json!(300), "got 300, expected an integer from 1 to 14"),
        ("days", json!(-1), "got -1, expected an integer from 1 to 14"),
        ("ratio", json!(2.5), "got 2.5, expected a number of at least -1.5 and less than 2.5"),
        ("least", json!(9), "got 9, expected an integer of at least 10"),
        ("word", json!("a"), "got \"a\", expected a string of 2 to 4 characters"),
        ("word", json!("abcde"), "got \"abcde\", expected a string of 2 to 4 characters"),
        ("list", json!([]), "got [], expected an array of at least 1 integer"),
        ("map", json!({ "a": 1, "b": 2 }), "got {\"a\":1,\"b\":2}, expected an object with at most 1 member"),
        ("lower", json!("aB"), "got \"aB\", expected a string matching ^[a-z]+$"),
        ("both", json!("xabc"), "got \"xabc\", expected a string of at most 3 characters matching ^x"),
    ] {
        assert_eq!(
            refused(&client, "bounded", json!({ argument: value })).await,
            [format!("argument `{argument}`: {expected}")]
        );
    }
}

/// "Also inside nested structs", by the attributes of `schemars`, with the path to each place.
#[tokio::test]
async fn nested_bounds_are_enforced() {
    let client = tools();
    assert_eq!(
        said(&client, "nested", json!({ "filter": { "limit": 9, "tags": ["abc"], "country": "NO" } })).await,
        "Filter { limit: Some(9), tags: [\"abc\"], country: Some(\"NO\"), more: [] }"
    );
    assert_eq!(
        refused(
            &client,
            "nested",
            json!({ "filter": {
                "limit": 10, "tags": ["abc", "abcd"], "country": "no", "more": [{ "n": 1 }, { "n": 6 }],
            } })
        )
        .await,
        [
            "argument `filter.limit`: got 10, expected an integer from 1 to 9",
            "argument `filter.tags[1]`: got \"abcd\", expected a string of at most 3 characters",
            "argument `filter.country`: got \"no\", expected a string matching ^[A-Z]{2}$",
            "argument `filter.more[1].n`: got 6, expected an integer of at most 5",
        ]
    );
    assert_eq!(
        refused(&client, "nested", json!({ "filter": { "tags": [], "more": [{ "n": 1, "m": 2 }] } })).await,
        [
            "argument `filter.tags`: got [], expected an array of at least 1 string",
            "argument `filter.more[0].m`: got 2, expected no property of this name (there are: `n`)",
        ]
    );
}

/// "Several faults in one answer", in the order of the parameters.
#[tokio::test]
async fn all_faults_are_one_answer() {
    let client = tools();
    assert_eq!(
        refused(&client, "several", json!({ "days": 256, "unit": "metrics", "precise": 1 })).await,
        [
            "argument `location`: missing, expected a string",
            "argument `days`: got 256, expected an integer from 0 to 255",
            "argument `unit`: got \"metrics\", expected one of \"metric\", \"imperial\"; did you mean \"metric\"?",
            "argument `precise`: got 1, expected true or false",
        ]
    );
    assert_eq!(
        refused(
            &client,
            "several",
            json!({ "location": ["Oslo"], "days": {}, "unit": 5, "precise": "maybe" })
        )
        .await,
        [
            "argument `location`: got [\"Oslo\"], expected a string",
            "argument `days`: got {}, expected an integer from 0 to 255",
            "argument `unit`: got 5, expected one of \"metric\", \"imperial\"",
            "argument `precise`: got \"maybe\", expected true or false",
        ]
    );
}

/// Near-miss names: what was given under a name that is almost right.
#[tokio::test]
async fn near_misses_are_told() {
    let client = tools();
    assert_eq!(
        refused(
            &client,
            "several",
            json!({ "locaton": "Oslo", "days": 1, "unit": "metric", "precise": true })
        )
        .await,
        ["argument `location`: missing, expected a string; `locaton` was given; did you mean `location`?"]
    );
}

/// "Unknown extra arguments are ignored unless the tool says `strict`."
#[tokio::test]
async fn unknown_arguments_are_ignored_unless_strict() {
    let client = tools();
    let arguments = json!({ "location": "Oslo", "days": 1, "unit": "metric", "precise": true, "extra": [1], "_meta": {} });
    assert_eq!(said(&client, "several", arguments).await, "Oslo 1 Metric true");
    assert_eq!(
        refused(&client, "strict", json!({ "location": "Oslo", "day": 1, "verbose": true })).await,
        [
            "argument `day`: unknown, expected one of `location`, `days`; did you mean `days`?",
            "argument `verbose`: unknown, expected one of `location`, `days`",
        ]
    );
    assert_eq!(
        refused(&client, "strict", json!({ "locaton": "Oslo" })).await[0],
        "argument `locaton`: unknown, expected one of `location`, `days`; did you mean `location`?"
    );
    assert_eq!(
        refused(&client, "strictly_nothing", json!({ "x": 1 })).await,
        ["argument `x`: unknown, expected no arguments"]
    );
    assert_eq!(said(&client, "strictly_nothing", json!({})).await, "nothing");
    assert_eq!(
        refused(&client, "strictly_flat", json!({ "query": "q", "page": 1, "pages": 1 })).await,
        ["argument `pages`: unknown, expected one of `query`, `page`, `size`; did you mean `page`?"]
    );
}

/// `flatten`: the struct's fields are arguments like any other.
#[tokio::test]
async fn flattened_fields_are_arguments() {
    let client = tools();
    assert_eq!(
        listed(&client, "tools", "flat").await["inputSchema"],
        json!({
            "type": "object",
            "properties": {
                "query": { "type": "string" },
                "page": { "type": "integer", "minimum": 0, "description": "The page." },
                "size": { "type": "integer", "minimum": 0, "maximum": 100 },
            },
            "required": ["query", "page"],
        })
    );
    assert_eq!(
        said(&client, "flat", json!({ "query": "q", "page": 2, "other": 1 })).await,
        "q Paging { page: 2, size: None }"
    );
    assert_eq!(
        refused(&client, "flat", json!({ "size": 101 })).await,
        [
            "argument `query`: missing, expected a string",
            "argument `page`: missing, expected an integer of at least 0 (The page)",
            "argument `size`: got 101, expected an integer from 0 to 100",
        ]
    );
}

/// `default`: published, and taken for an argument that is not given.
#[tokio::test]
async fn defaults_are_published_and_taken() {
    let client = tools();
    let all = "3 metric lent 0.5 true [\"computed\"] Imperial";
    assert_eq!(said(&client, "defaults", json!({})).await, all);
    let nulls = json!({
        "days": null, "unit": null, "lent": null, "ratio": null, "flag": null, "list": null, "choice": null,
    });
    assert_eq!(said(&client, "defaults", nulls).await, all);
    let given = json!({ "days": 4, "unit": "", "lent": "x", "ratio": 1, "flag": false, "list": [], "choice": "metric" });
    assert_eq!(said(&client, "defaults", given).await, "4  x 1 false [] Metric");
    let schema = listed(&client, "tools", "defaults").await["inputSchema"].take();
    assert_eq!(schema.get("required"), None);
    for (name, default) in [
        ("days", json!(3)),
        ("unit", json!("metric")),
        ("lent", json!("lent")),
        ("ratio", json!(0.5)),
        ("flag", json!(true)),
        ("list", json!(["computed"])),
    ] {
        assert_eq!(schema["properties"][name]["default"], default, "{name}");
    }
}

/// `&[T]` is a list.
#[tokio::test]
async fn slices_are_lists() {
    let client = tools();
    assert_eq!(
        said(&client, "slices", json!({ "numbers": [1, 2.5], "words": ["a", "b \"c\""] })).await,
        "[1.0, 2.5] [\"a\", \"b \\\"c\\\"\"] [1, 2]"
    );
    assert_eq!(said(&client, "slices", json!({ "numbers": [], "words": [], "given": [] })).await, "[] [] []");
    assert_eq!(
        refused(&client, "slices", json!({ "numbers": [1, "x"], "words": "a" })).await,
        [
            "argument `numbers[1]`: got \"x\", expected a number",
            "argument `words`: got \"a\", expected an array of strings",
        ]
    );
    assert_eq!(
        listed(&client, "tools", "slices").await["inputSchema"]["properties"]["numbers"],
        json!({ "type": "array", "items": { "type": "number" } })
    );
}

/// Borrowed strings, whatever escapes they are written with.
#[tokio::test]
async fn borrowed_strings_may_be_escaped() {
    let client = tools();
    for text in ["plain", "", "a \"quoted\" \\ word", "line\nbreak\ttab", "\u{1f600} é \u{0}", "\u{2028}"] {
        let arguments =
            json!({ "text": text, "maybe": text, "inner": { "name": text, "tags": [text, "x"] } });
        assert_eq!(
            said(&client, "borrowed", arguments).await,
            json!([text, text, text, [text, "x"]]).to_string()
        );
    }
    // Escapes that need not be: `\u0061`, a surrogate pair, an escaped key.
    let message = request(1, "tools/call", json!({ "name": "borrowed", "arguments": "HERE" })).to_string().replace(
        "\"HERE\"",
        r#"{"t\u0065xt":"\u0061\/","maybe":"\ud83d\ude00","inner":{"n\u0061me":"\u0062","tags":["\u0063"]}}"#,
    );
    let answers = client.send(message).await;
    assert_eq!(
        answers[0]["result"]["content"][0]["text"],
        json!(["a/", "\u{1f600}", "b", ["c"]]).to_string()
    );
    // A lone surrogate is no text.
    let message = request(1, "tools/call", json!({ "name": "several", "arguments": "HERE" }))
        .to_string()
        .replace("\"HERE\"", r#"{"location":"\ud83d","days":1,"unit":"metric","precise":true}"#);
    let answers = client.send(message).await;
    assert_eq!(answers[0]["result"]["isError"], true, "{}", answers[0]);
}

/// A tool's schema written by hand is passed on as it is, and enforced whole.
#[tokio::test]
async fn a_schema_by_hand_is_published_and_enforced() {
    let client = tools();
    let schema = listed(&client, "tools", "hand_written").await["inputSchema"].take();
    assert_eq!(schema["dependentRequired"], json!({ "b": ["any"] }));
    assert_eq!(schema["$defs"], json!({ "Item": { "type": "integer" } }));
    assert_eq!(said(&client, "hand_written", json!({ "a": 1 })).await, "1 None null");
    assert_eq!(
        said(&client, "hand_written", json!({ "a": 1, "b": "x", "any": [1] })).await,
        "1 Some(\"x\") [1]"
    );
    // Its strings are put right where the type would have taken them as they are.
    assert_eq!(said(&client, "hand_written", json!({ "a": "1", "any": "[\"2\"]" })).await, "1 None [2]");
    for (arguments, expected) in [
        (json!({ "a": 0 }), "argument `a`: got 0, expected an integer of at least 1"),
        (json!({}), "argument `a`: missing, expected an integer of at least 1"),
        (json!({ "a": 1, "any": ["x"] }), "argument `any[0]`: got \"x\", expected an integer"),
        (json!({ "a": 1, "b": "z", "any": [] }), "argument `b`: got \"z\", expected one of \"x\", \"y\""),
        (
            json!({ "a": 1, "c": 1 }),
            "argument `c`: got 1, expected no property of this name (there are: `a`, `b`, `any`)",
        ),
    ] {
        assert_eq!(refused(&client, "hand_written", arguments).await, [expected]);
    }
    assert_eq!(
        refused(&client, "hand_written", json!({ "a": 1, "b": "x" })).await.len(),
        1,
        "dependentRequired"
    );
}

/// So is one argument's.
#[tokio::test]
async fn an_argument_s_schema_by_hand_is_published_and_enforced() {
    let client = tools();
    assert_eq!(
        listed(&client, "tools", "hand_written_argument").await["inputSchema"]["properties"]["even"],
        json!({ "type": "integer", "multipleOf": 2, "description": "An even number." })
    );
    assert_eq!(said(&client, "hand_written_argument", json!({ "even": 4, "list": [1, 2] })).await, "4 [1,2]");
    assert_eq!(
        said(&client, "hand_written_argument", json!({ "even": "4", "list": "[1, 2]" })).await,
        "4 [1,2]"
    );
    assert_eq!(
        refused(&client, "hand_written_argument", json!({ "even": 3, "list": [1, "x"] })).await,
        [
            "argument `even`: got 3, expected an integer that is a multiple of 2",
            "argument `list[1]`: got \"x\", expected an integer",
        ]
    );
}

/// Two parties that read different ones of two equal names would disagree on what was asked.
#[tokio::test]
async fn an_argument_given_twice_is_refused() {
    let client = tools();
    let send = async |tool: &str, arguments: &str| {
        let message = request(1, "tools/call", json!({ "name": tool, "arguments": "HERE" }));
        let answers = client.send(message.to_string().replace("\"HERE\"", arguments)).await;
        answers[0]["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(
        send("several", r#"{"location":"a","location":"b","days":1,"unit":"metric","precise":true}"#).await,
        "The call to `several` has a bad argument:\n- argument `location`: got two values, expected one"
    );
    assert_eq!(
        send("several", r#"{"location":"a","loc\u0061tion":null,"days":1,"unit":"metric","precise":true}"#)
            .await,
        "The call to `several` has a bad argument:\n- argument `location`: got two values, expected one"
    );
    let flat = send("flat", r#"{"query":"q","page":1,"page":2}"#).await;
    assert!(flat.contains("argument `page`"), "{flat}");
    assert_eq!(
        error(&client, "tools/call", json!({ "name": "several", "arguments": 5 })).await["code"],
        json!(-32602)
    );
}

/// Names on the wire: as `name = ".."` says, and without Rust's `r#`.
#[tokio::test]
async fn names_are_those_of_the_wire() {
    let client = tools();
    assert_eq!(said(&client, "named", json!({ "from-date": "today", "type": "t" })).await, "today t");
    assert_eq!(
        listed(&client, "tools", "named").await["inputSchema"]["required"],
        json!(["from-date", "type"])
    );
    assert_eq!(refused(&client, "named", json!({ "from": "today", "type": "t" })).await.len(), 1);
}

/// Sets, tuples and the unit type.
#[tokio::test]
async fn other_shapes_are_decoded() {
    let client = tools();
    let arguments = json!({ "unique": [1, 2, 2], "pair": [1, "a"], "nothing": null });
    let answer: Value = mcp_tests::call(&client, "sets", arguments).await;
    assert_eq!(answer["isError"], true, "`uniqueItems` is stated, so it is enforced: {answer}");
    assert_eq!(
        said(&client, "sets", json!({ "unique": "[1, 2]", "pair": "[1, \"a\"]", "nothing": null })).await,
        "2 (1, \"a\") ()"
    );
}
