//! The command line that every server has, on the example servers.

use std::process::{Command, Output};

use mcp_tests::binary;
use serde_json::Value;

fn run(example: &str, arguments: &[&str]) -> Output {
    Command::new(binary(example))
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("{example}: {error}"))
}

/// The exit code, and what was printed for people and for programs.
fn said(example: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = run(example, arguments);
    let text = |bytes| String::from_utf8(bytes).expect("it is text");
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn call_prints_the_result() {
    for arguments in [&["call", "add", r#"{"a":1,"b":2}"#] as &[_], &["call", "add", "a=1", "b=2"]] {
        assert_eq!(said("quickstart", arguments), (Some(0), "3\n".to_owned(), String::new()));
    }
    // What a tool takes as text is text, whatever it looks like.
    assert_eq!(said("bench", &["call", "echo", "text=5"]), (Some(0), "5\n".to_owned(), String::new()));
}

#[test]
fn call_fails_where_the_tool_does() {
    let bad = "The call to `add` has a bad argument:\n\
               - argument `b`: missing, expected an integer (Second addend)\n";
    assert_eq!(said("quickstart", &["call", "add", "a=1"]), (Some(1), String::new(), bad.to_owned()));
    let unknown = "error: Unknown tool: ad; did you mean `add`?\n";
    assert_eq!(said("quickstart", &["call", "ad"]), (Some(1), String::new(), unknown.to_owned()));
    let neither = "error: `1` is neither a JSON object nor `key=value`\n";
    assert_eq!(said("quickstart", &["call", "add", "1", "2"]), (Some(1), String::new(), neither.to_owned()));
}

#[test]
fn list_prints_what_is_offered() {
    let table = "Tools\n  add  Add two numbers.\n";
    assert_eq!(said("quickstart", &["list"]), (Some(0), table.to_owned(), String::new()));
    let json: Value = serde_json::from_slice(&run("quickstart", &["list", "--json"]).stdout).expect("JSON");
    assert_eq!(json["tools"][0]["name"], "add");
    assert_eq!(json["prompts"], Value::Array(Vec::new()));
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = format!("quickstart {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(said("quickstart", &["--version"]), (Some(0), version, String::new()));
    let (code, _, stderr) = said("quickstart", &["--htp"]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("a similar argument exists: '--http'"), "{stderr}");
}
