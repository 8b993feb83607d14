//! Arguments as models and clients really send them.

use std::collections::BTreeMap;

use mcp_runtime::prelude::*;
use mcp_tests::client;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{code, request};

/// What text arrived.
#[tool]
fn echo(text: &str) -> String {
    text.to_owned()
}

/// Grep.
#[tool]
fn grep(patterns: Vec<String>, #[arg(default = 10)] max_results: usize, context: Option<u32>) -> String {
    format!("{patterns:?} {max_results} {context:?}")
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "shown by `Debug`")]
struct User {
    username: String,
    age: Option<u8>,
    #[serde(default)]
    is_active: bool,
    #[serde(default)]
    tags: Vec<String>,
}

/// Create a user.
#[tool]
fn create_user(user: User) -> String {
    format!("{user:?}")
}

/// The exact number.
#[tool]
fn exact(signed: Option<i64>, unsigned: Option<u64>, ratio: Option<f64>) -> String {
    format!("{signed:?} {unsigned:?} {ratio:?}")
}

/// The exact number, however large.
#[tool]
fn amount(wei: u128) -> String {
    wei.to_string()
}

/// Nothing to say.
#[tool]
fn status() -> &'static str {
    "fine"
}

/// Labels.
#[tool]
fn label(labels: BTreeMap<String, i32>, #[arg(name = "dry.run")] dry_run: Option<bool>) -> String {
    format!("{labels:?} {dry_run:?}")
}

/// Set a flag.
#[tool]
fn flag(on: bool) -> String {
    on.to_string()
}

async fn call(name: &str, arguments: Value) -> String {
    let result = client(module_path!()).call(name, arguments).await.expect("the call is served");
    if result.is_error { format!("error: {}", result.text()) } else { result.text() }
}

/// `dmtrKovalenko/fff#326`, `openai/codex#33452`: whole numbers arrive as floats; a fraction is still refused.
#[tokio::test]
async fn a_whole_float_is_an_integer() {
    assert_eq!(call("grep", json!({ "patterns": ["a"], "max_results": 30.0 })).await, r#"["a"] 30 None"#);
    assert_eq!(call("grep", json!({ "patterns": ["a"], "context": 3e2 })).await, r#"["a"] 10 Some(300)"#);
    let refused = call("grep", json!({ "patterns": ["a"], "max_results": 30.5 })).await;
    assert!(refused.starts_with("error: "), "{refused}");
    assert!(refused.contains("`max_results`") && refused.contains("30.5"), "{refused}");
    let refused = call("grep", json!({ "patterns": ["a"], "max_results": -1.0 })).await;
    assert!(refused.starts_with("error: ") && refused.contains("-1"), "{refused}");
}

/// `PrefectHQ/fastmcp#932`, `#693`, `#553`, `HKUDS/Vibe-Trading#993`: objects and lists arrive as their JSON text,
/// also inside others.
#[tokio::test]
async fn objects_and_lists_are_taken_out_of_their_text() {
    let expected = r#"User { username: "t", age: Some(25), is_active: true, tags: ["a", "b"] }"#;
    let text = r#"{"username":"t","age":25,"is_active":true,"tags":["a","b"]}"#;
    assert_eq!(call("create_user", json!({ "user": text })).await, expected);
    let inner = json!({ "username": "t", "age": "25", "is_active": "true", "tags": r#"["a","b"]"# });
    assert_eq!(call("create_user", json!({ "user": inner })).await, expected);
    assert_eq!(call("grep", json!({ "patterns": r#"["JAN","FEB"]"# })).await, r#"["JAN", "FEB"] 10 None"#);
    assert_eq!(call("label", json!({ "labels": r#"{"a": 1}"# })).await, r#"{"a": 1} None"#);
}

/// `PrefectHQ/fastmcp#3931`: a string that looks like JSON, a number or null is that string.
#[tokio::test]
async fn a_string_parameter_is_never_decoded() {
    for text in [r#"{"a": 1}"#, "[1]", "42", "007", "true", "null", "\"quoted\"", " padded ", "", "1e5"] {
        assert_eq!(call("echo", json!({ "text": text })).await, text);
    }
    assert_eq!(
        call("grep", json!({ "patterns": ["[1]", "null", "7"] })).await,
        r#"["[1]", "null", "7"] 10 None"#
    );
}

/// `BigSweetPotatoStudio/HyperChat#123`: every field of a form is text.
#[tokio::test]
async fn numbers_and_booleans_are_taken_out_of_their_text() {
    assert_eq!(call("grep", json!({ "patterns": ["a"], "max_results": "7" })).await, r#"["a"] 7 None"#);
    assert_eq!(call("exact", json!({ "signed": "-7", "ratio": "0.5" })).await, "Some(-7) None Some(0.5)");
    assert_eq!(call("flag", json!({ "on": "true" })).await, "true");
    assert_eq!(call("flag", json!({ "on": "False" })).await, "false");
    let refused = call("flag", json!({ "on": "maybe" })).await;
    assert!(
        refused.starts_with("error: ") && refused.contains("`on`") && refused.contains("maybe"),
        "{refused}"
    );
}

/// Token amounts are sent as text, because JavaScript's numbers do not hold them.
#[tokio::test]
async fn a_large_integer_is_taken_out_of_its_text_to_the_last_digit() {
    let most = "340282366920938463463374607431768211455";
    assert_eq!(call("amount", json!({ "wei": most })).await, most);
    assert_eq!(
        call("exact", json!({ "unsigned": "18446744073709551615" })).await,
        "None Some(18446744073709551615) None"
    );
    let refused = call("amount", json!({ "wei": "340282366920938463463374607431768211456" })).await;
    assert!(refused.starts_with("error: ") && refused.contains("`wei`"), "{refused}");
}

/// Half a surrogate pair, and a number beyond every double, are JSON by its grammar and no value of anything.
#[tokio::test]
async fn what_no_value_can_be_made_of_is_shown_as_it_came() {
    let client = client(module_path!());
    for (tool, arguments, shown) in
        [("exact", r#"{"ratio":1e400}"#, "1e400"), ("echo", r#"{"text":"\ud800"}"#, "ud800")]
    {
        let whole = json!({ "name": tool, "arguments": "HERE" });
        let message = request("1", "tools/call", whole).replace(r#""HERE""#, arguments);
        let answers = client.send(message).await;
        let text = answers[0]["result"]["content"][0]["text"].as_str().expect("a text");
        assert!(answers[0]["result"]["isError"] == true && text.contains(shown), "{text}");
        assert!(!text.contains("null"), "{text}");
    }
}

/// `anthropics/claude-code#95239`: a client that cannot send null sends its name. For a number it can mean nothing
/// else.
#[tokio::test]
async fn the_text_null_is_nothing_where_it_can_be_nothing_else() {
    assert_eq!(call("exact", json!({ "signed": "null" })).await, "None None None");
    assert_eq!(call("grep", json!({ "patterns": ["a"], "max_results": "null" })).await, r#"["a"] 10 None"#);
}

/// `PrefectHQ/fastmcp#883`: the whole arguments as text are no object, and the request is malformed.
#[tokio::test]
async fn arguments_that_are_no_object_are_invalid_params() {
    let client = client(module_path!());
    for arguments in [json!("{\"text\":\"a\"}"), json!([]), json!(7), json!(true)] {
        assert_eq!(code(client.call("echo", arguments).await), -32602);
    }
}

/// `modelcontextprotocol/typescript-sdk#2012`: no arguments at all, and null, are none.
#[tokio::test]
async fn missing_and_null_arguments_are_none() {
    assert_eq!(call("status", Value::Null).await, "fine");
    let client = client(module_path!());
    let result = client.request("tools/call", json!({ "name": "status" })).await.expect("the call is served");
    assert_eq!(result["content"][0]["text"], "fine");
}

/// Cursor and others give a tool without parameters a dummy one (`{"random_string": ".."}`).
#[tokio::test]
async fn a_tool_without_parameters_ignores_dummy_arguments() {
    assert_eq!(call("status", json!({ "random_string": "dummy" })).await, "fine");
}

/// `BerriAI/litellm#40494`: a name with a dot is a name.
#[tokio::test]
async fn a_dotted_argument_name_is_one_name() {
    assert_eq!(call("label", json!({ "labels": {}, "dry.run": true })).await, "{} Some(true)");
}

/// Numbers beyond 2^53 lose nothing on the way, and those beyond the type are refused.
#[tokio::test]
async fn big_integers_are_exact() {
    let arguments = json!({ "signed": 9_007_199_254_740_993_i64, "unsigned": u64::MAX });
    assert_eq!(call("exact", arguments).await, "Some(9007199254740993) Some(18446744073709551615) None");
    let arguments = json!({ "signed": i64::MIN.to_string(), "unsigned": u64::MAX.to_string() });
    assert_eq!(call("exact", arguments).await, "Some(-9223372036854775808) Some(18446744073709551615) None");
    let refused = call("exact", json!({ "signed": u64::MAX })).await;
    assert!(refused.starts_with("error: ") && refused.contains("`signed`"), "{refused}");
}

/// Escapes, surrogate pairs and NUL reach a borrowed string; half of a pair is no text and is named.
#[tokio::test]
async fn escaped_text_is_decoded_and_half_a_surrogate_pair_refused() {
    let client = client(module_path!());
    let escaped = r#"{"text":"caf\u00e9 \ud83d\ude00 \u0000 \/ \u2028"}"#;
    let message = request("1", "tools/call", json!({ "name": "echo", "arguments": 0 }));
    let sent = client.send(message.replace(r#""arguments":0"#, &format!(r#""arguments":{escaped}"#))).await;
    assert_eq!(sent[0]["result"]["content"][0]["text"], "caf\u{e9} \u{1f600} \0 / \u{2028}");
    let half = client.send(message.replace(r#""arguments":0"#, r#""arguments":{"text":"\ud83d"}"#)).await;
    assert_eq!(half[0]["id"], 1);
    assert!(half[0]["result"]["isError"] == true || half[0]["error"]["code"] == -32602, "{half:?}");
}

/// `Ataraxy-Labs/sem#182`: what the model can mend is a result that says how, not an internal error.
#[tokio::test]
async fn every_bad_argument_is_named_in_one_answer() {
    let refused = call("grep", json!({ "pattern": ["a"], "max_results": "many", "context": {} })).await;
    for part in ["error: ", "`patterns`", "`pattern`", "`max_results`", "many", "`context`"] {
        assert!(refused.contains(part), "no {part} in {refused}");
    }
}

/// `modelcontextprotocol/servers#4159`, `modelcontextprotocol/typescript-sdk#1510`: an unknown tool is a protocol
/// error, not a result.
#[tokio::test]
async fn an_unknown_tool_is_invalid_params() {
    let error = client(module_path!()).call("ecko", json!({})).await.expect_err("there is no such tool");
    assert_eq!(error.code(), -32602);
    assert_eq!(error.message(), "Unknown tool: ecko; did you mean `echo`?");
}

/// `Jason-Vaughan/Medusa#26`: names are compared exactly.
#[tokio::test]
async fn tool_names_are_case_sensitive() {
    assert_eq!(code(client(module_path!()).call("Echo", json!({ "text": "a" })).await), -32602);
    assert_eq!(code(client(module_path!()).call(" echo", json!({ "text": "a" })).await), -32602);
}
