//! What real clients and models send, from public reports against other servers: the rows C1 to C10.

use mcp_runtime::testing::Client;
use mcp_tests::{call, client, error, exchange, refused, request, said};
use serde_json::{Value, json};

mod tools {
    use std::collections::BTreeMap;

    use mcp_runtime::prelude::*;
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::{Value, json};

    #[tool]
    fn nothing() -> &'static str {
        "done"
    }

    #[tool]
    fn optional(
        note: Option<String>,
        #[arg(default = 3)] count: u32,
        #[arg(default = "metric")] units: &str,
        more: Option<Filter>,
    ) -> String {
        format!("{note:?} {count} {units} {}", more.is_some())
    }

    #[tool]
    fn required(
        /// The first addend.
        a: i64,
        text: &str,
    ) -> String {
        format!("{a} {text}")
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    pub(crate) struct Filter {
        tags: Vec<String>,
        limit: Option<u32>,
        #[serde(default = "ten")]
        offset: u32,
        exact: bool,
        ratio: f64,
        within: Option<Range>,
    }

    fn ten() -> u32 {
        10
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    struct Range {
        from: i64,
        to: Option<i64>,
    }

    #[tool]
    fn search(filter: Filter) -> String {
        format!("{filter:?}")
    }

    #[tool]
    fn sum(numbers: &[i64]) -> i64 {
        numbers.iter().sum()
    }

    #[tool]
    fn scalars(integer: i64, unsigned: u8, number: f64, flag: bool) -> String {
        format!("{integer} {unsigned} {number} {flag}")
    }

    #[tool]
    fn maps(counts: BTreeMap<String, u32>, names: Vec<Vec<String>>) -> String {
        format!("{counts:?} {names:?}")
    }

    #[tool]
    fn strings(owned: String, borrowed: &str, maybe: Option<String>, many: Vec<String>) -> String {
        json!([owned, borrowed, maybe, many]).to_string()
    }

    #[tool]
    fn anything(value: Value) -> String {
        value.to_string()
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(untagged)]
    enum OneOrMany {
        One(String),
        Many(Vec<String>),
    }

    #[tool]
    fn either(names: OneOrMany) -> String {
        format!("{names:?}")
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    struct Paging {
        page: Option<u32>,
        #[serde(default)]
        size: u32,
    }

    #[tool]
    fn flat(query: &str, #[arg(flatten)] paging: Paging) -> String {
        format!("{query} {paging:?}")
    }

    fn by_hand() -> Value {
        json!({
            "type": "object",
            "properties": {
                "ids": { "type": "array", "items": { "type": "integer" } },
                "limit": { "type": "integer", "minimum": 1 },
                "note": { "type": "string" },
            },
            "required": ["ids"],
        })
    }

    #[tool(input_schema = by_hand)]
    fn hand_written(ids: Vec<i64>, limit: Option<u32>, note: Option<String>) -> String {
        format!("{ids:?} {limit:?} {note:?}")
    }

    #[tool]
    fn panics() -> String {
        panic!("the secret of the sync panic");
    }

    #[tool]
    async fn panics_later() -> String {
        tokio::task::yield_now().await;
        panic!("the secret of the async panic");
    }

    #[tool(blocking)]
    fn panics_on_the_pool() -> String {
        std::panic::panic_any(42);
    }

    #[resource("app://panics")]
    fn panicking_resource() -> String {
        panic!("the secret of the resource");
    }

    #[prompt]
    async fn panicking_prompt(#[arg(complete = panicking_completion)] text: String) -> String {
        panic!("the secret of the prompt {text}");
    }

    fn panicking_completion(typed: &str) -> Vec<String> {
        panic!("the secret of the completion {typed}");
    }

    #[resource("app://panics/{id}", list = panicking_list)]
    fn panicking_template(id: u32) -> String {
        panic!("the secret of the template {id}");
    }

    fn panicking_list() -> Vec<String> {
        panic!("the secret of the list");
    }
}

fn tools() -> Client {
    client("clients::tools")
}

/// C1: `"arguments": null` is `{}`, and so are missing arguments; the same for prompts.
#[tokio::test]
async fn c1_null_arguments_are_none() {
    let client = tools();
    let done = json!({ "content": [{ "type": "text", "text": "done" }] });
    assert_eq!(call(&client, "nothing", json!(null)).await, done);
    assert_eq!(call(&client, "nothing", json!({})).await, done);
    assert_eq!(mcp_tests::result(&client, "tools/call", json!({ "name": "nothing" })).await, done);
    assert_eq!(said(&client, "optional", json!(null)).await, "None 3 metric false");
    assert_eq!(
        refused(&client, "required", json!(null)).await,
        [
            "argument `a`: missing, expected an integer (The first addend)",
            "argument `text`: missing, expected a string",
        ]
    );
}

/// C2: an optional argument that is `null` is absent, so that its default applies, at every depth.
#[tokio::test]
async fn c2_null_for_an_optional_argument_is_absent() {
    let client = tools();
    let nulls = json!({ "note": null, "count": null, "units": null, "more": null });
    assert_eq!(said(&client, "optional", nulls).await, "None 3 metric false");
    let filter =
        json!({ "tags": [], "limit": null, "offset": null, "exact": true, "ratio": 0.5, "within": null });
    assert_eq!(
        said(&client, "search", json!({ "filter": filter })).await,
        "Filter { tags: [], limit: None, offset: 10, exact: true, ratio: 0.5, within: None }"
    );
    let filter = json!({ "tags": [], "exact": true, "ratio": 1, "within": { "from": 1, "to": null } });
    assert_eq!(
        said(&client, "search", json!({ "filter": filter })).await,
        "Filter { tags: [], limit: None, offset: 10, exact: true, ratio: 1.0, within: Some(Range { from: 1, to: None }) }"
    );
    assert_eq!(
        said(&client, "flat", json!({ "query": "q", "page": null, "size": null })).await,
        "q Paging { page: None, size: 0 }"
    );
}

/// C2: a required argument that is `null` is a fault with its name, at every depth.
#[tokio::test]
async fn c2_null_for_a_required_argument_is_named() {
    let client = tools();
    assert_eq!(
        refused(&client, "required", json!({ "a": null, "text": null })).await,
        ["argument `a`: got null, expected an integer", "argument `text`: got null, expected a string",]
    );
    let filter = json!({ "tags": null, "exact": null, "ratio": 1, "within": { "from": null } });
    assert_eq!(
        refused(&client, "search", json!({ "filter": filter })).await,
        [
            "argument `filter.tags`: got null, expected an array of strings",
            "argument `filter.exact`: got null, expected true or false",
            "argument `filter.within.from`: got null, expected an integer",
        ]
    );
}

/// C3: an array or object sent as a JSON string is decoded.
#[tokio::test]
async fn c3_stringified_arrays_and_objects_are_decoded() {
    let client = tools();
    assert_eq!(said(&client, "sum", json!({ "numbers": "[1, 2, 3]" })).await, "6");
    let filter = r#"{"tags": ["a", "b"], "exact": true, "ratio": 0.5}"#;
    let decoded =
        "Filter { tags: [\"a\", \"b\"], limit: None, offset: 10, exact: true, ratio: 0.5, within: None }";
    assert_eq!(said(&client, "search", json!({ "filter": filter })).await, decoded);
    let maps = json!({ "counts": "{\"a\": 1}", "names": "[[\"x\"], []]" });
    assert_eq!(said(&client, "maps", maps).await, "{\"a\": 1} [[\"x\"], []]");
    let maps = json!({ "counts": { "a": "1" }, "names": ["[\"x\"]", []] });
    assert_eq!(said(&client, "maps", maps).await, "{\"a\": 1} [[\"x\"], []]");
}

/// C3: so are the fields of a nested struct, and numbers and booleans wherever they are.
#[tokio::test]
async fn c3_stringified_fields_and_scalars_are_decoded() {
    let client = tools();
    let filter = json!({
        "tags": "[\"a\"]", "limit": "5", "offset": "7", "exact": "true", "ratio": "1.5",
        "within": "{\"from\": \"1\", \"to\": \"2\"}",
    });
    assert_eq!(
        said(&client, "search", json!({ "filter": filter })).await,
        "Filter { tags: [\"a\"], limit: Some(5), offset: 7, exact: true, ratio: 1.5, \
         within: Some(Range { from: 1, to: Some(2) }) }"
    );
    let scalars = json!({ "integer": "-3", "unsigned": "255", "number": "2.5", "flag": "False" });
    assert_eq!(said(&client, "scalars", scalars).await, "-3 255 2.5 false");
    let scalars = json!({ "integer": 3.0, "unsigned": 2e2, "number": 2, "flag": true });
    assert_eq!(said(&client, "scalars", scalars).await, "3 200 2 true");
    let flat = json!({ "query": "q", "page": "2", "size": "20" });
    assert_eq!(said(&client, "flat", flat).await, "q Paging { page: Some(2), size: 20 }");
}

/// C3: a string parameter is never touched, whatever it looks like.
#[tokio::test]
async fn c3_strings_are_never_touched() {
    let client = tools();
    for text in ["[\"a\",\"b\"]", "{\"a\": 1}", "42", "true", "null", "\"quoted\"", "", " 1 "] {
        let arguments = json!({ "owned": text, "borrowed": text, "maybe": text, "many": [text, text] });
        let expected = json!([text, text, text, [text, text]]).to_string();
        assert_eq!(said(&client, "strings", arguments).await, expected);
        assert_eq!(said(&client, "anything", json!({ "value": text })).await, json!(text).to_string());
        assert_eq!(said(&client, "either", json!({ "names": text })).await, format!("One({text:?})"));
        let filter = json!({ "tags": [text], "exact": "true", "ratio": 1 });
        assert_eq!(
            said(&client, "search", json!({ "filter": filter })).await,
            format!(
                "Filter {{ tags: [{text:?}], limit: None, offset: 10, exact: true, ratio: 1.0, within: None }}"
            )
        );
    }
    let many = json!({ "owned": "[]", "borrowed": "[]", "many": "[\"[1]\"]" });
    assert_eq!(said(&client, "strings", many).await, json!(["[]", "[]", null, ["[1]"]]).to_string());
}

/// C3: what a string does not decode to is a named fault.
#[tokio::test]
async fn c3_what_does_not_decode_is_named() {
    let client = tools();
    assert_eq!(
        refused(&client, "sum", json!({ "numbers": "1, 2" })).await,
        ["argument `numbers`: got \"1, 2\", expected an array of integers"]
    );
    assert_eq!(
        refused(&client, "sum", json!({ "numbers": "[1, \"x\"]" })).await,
        ["argument `numbers[1]`: got \"x\", expected an integer"]
    );
    assert_eq!(
        refused(
            &client,
            "scalars",
            json!({ "integer": "3.5", "unsigned": "256", "number": "", "flag": "yes" })
        )
        .await,
        [
            "argument `integer`: got \"3.5\", expected an integer",
            "argument `unsigned`: got 256, expected an integer from 0 to 255",
            "argument `number`: got \"\", expected a number",
            "argument `flag`: got \"yes\", expected true or false",
        ]
    );
}

/// C1 to C3 hold for a tool whose schema is written by hand as well.
#[tokio::test]
async fn c2_c3_hold_under_a_schema_written_by_hand() {
    let client = tools();
    let expected = "[1, 2] None None";
    assert_eq!(said(&client, "hand_written", json!({ "ids": [1, 2] })).await, expected);
    let nulls = json!({ "ids": [1, 2], "limit": null, "note": null });
    assert_eq!(said(&client, "hand_written", nulls).await, expected);
    let strings = json!({ "ids": "[\"1\", 2]", "limit": "5", "note": "[1]" });
    assert_eq!(said(&client, "hand_written", strings).await, "[1, 2] Some(5) Some(\"[1]\")");
    assert_eq!(
        refused(&client, "hand_written", json!({ "ids": null, "limit": "0" })).await,
        [
            "argument `ids`: got null, expected an array of integers",
            "argument `limit`: got 0, expected an integer of at least 1",
        ]
    );
}

mod duplicated {
    pub(crate) mod files {
        use mcp_runtime::prelude::*;

        #[tool]
        fn search() -> &'static str {
            "files"
        }
    }

    pub(crate) mod web {
        use mcp_runtime::prelude::*;

        #[tool]
        fn search() -> &'static str {
            "web"
        }
    }
}

/// C9: two tools of one name in two modules keep the server from starting, and both places are named.
#[tokio::test]
async fn c9_two_tools_of_one_name_are_both_named() {
    let faults = Client::new(mcp_tests::server("clients::duplicated")).err().expect("two tools of one name");
    let [fault] = faults.faults() else { panic!("{faults}") };
    let places: Vec<u32> = fault
        .split("tests/tests/clients.rs:")
        .skip(1)
        .map(|rest| {
            rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default().parse().expect("a line")
        })
        .collect();
    let [files, web] = places[..] else { panic!("{fault}") };
    assert!(files < web, "{fault}");
    assert_eq!(
        *fault,
        format!(
            "two tools are called `search`: tests/tests/clients.rs:{files} and tests/tests/clients.rs:{web}; \
             rename one with `#[tool(name = \"..\")]`"
        )
    );
    let source = include_str!("clients.rs");
    for line in [files, web] {
        let place: Vec<&str> = source.lines().skip(line as usize - 2).take(3).collect();
        assert!(place.join("\n").contains("fn search()"), "{place:?}");
    }
    assert_eq!(said(&client("clients::duplicated::web"), "search", json!({})).await, "web");
    assert_eq!(said(&client("clients::duplicated::files"), "search", json!({})).await, "files");
}

/// C10: a handler that panics is answered, with nothing of the panic in the answer, and the next request works.
#[tokio::test]
async fn c10_a_panic_is_answered_and_the_server_lives_on() {
    let client = tools();
    let requests = [
        ("tools/call", json!({ "name": "panics" })),
        ("tools/call", json!({ "name": "panics_later" })),
        ("tools/call", json!({ "name": "panics_on_the_pool" })),
        ("resources/read", json!({ "uri": "app://panics" })),
        ("resources/read", json!({ "uri": "app://panics/1" })),
        ("resources/list", json!({})),
        ("prompts/get", json!({ "name": "panicking_prompt", "arguments": { "text": "x" } })),
        (
            "completion/complete",
            json!({
                "ref": { "type": "ref/prompt", "name": "panicking_prompt" },
                "argument": { "name": "text", "value": "x" },
            }),
        ),
    ];
    for (method, params) in requests {
        assert_eq!(
            error(&client, method, params.clone()).await,
            json!({ "code": -32603, "message": "Internal error" }),
            "{method} {params}"
        );
        assert_eq!(said(&client, "nothing", json!({})).await, "done");
    }
}

/// C10: also when several panic at once.
#[tokio::test]
async fn c10_concurrent_panics_are_answered_each() {
    let client = tools();
    let panicking = |id: i64| request(id, "tools/call", json!({ "name": "panics_later" }));
    let (first, second, third) =
        (panicking(1), panicking(2), request(3, "tools/call", json!({ "name": "nothing" })));
    let ((_, first), (_, second), (_, third)) =
        tokio::join!(exchange(&client, &first), exchange(&client, &second), exchange(&client, &third));
    let internal: Value = json!({ "code": -32603, "message": "Internal error" });
    assert_eq!((&first["error"], &second["error"]), (&internal, &internal));
    assert_eq!(third["result"]["content"][0]["text"], "done");
}
