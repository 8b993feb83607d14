//! Resources and URI templates.

use mcp_runtime::prelude::*;
use mcp_tests::{client, listed};
use serde_json::json;

use super::code;

/// The configuration.
#[resource("data://config{?format}", mime = "application/json")]
fn config(#[arg(default = "json")] format: String) -> String {
    format
}

/// A record, as its author wrote it.
#[resource("resource://ares/{a}/{?my_param}")]
fn ares(a: String, #[arg(default = 0)] my_param: i64) -> String {
    format!("{a} {my_param}")
}

/// One segment.
#[resource("notes://one/{name}")]
fn one(name: String) -> String {
    name
}

/// Any path.
#[resource("notes://any/{+path}")]
fn any(path: String) -> String {
    path
}

/// A folder with a name that a URI has to escape.
#[resource("file:///my%20docs/café/{name}")]
fn menu(name: String) -> String {
    name
}

/// A picture.
#[resource("notes://picture", mime = "image/png")]
fn picture() -> Vec<u8> {
    vec![0x89, 0x50]
}

/// Bytes of no declared type.
#[resource("notes://bytes")]
fn bytes() -> Vec<u8> {
    vec![0, 1]
}

/// A fixed one with a name that a URI has to escape.
#[resource("notes://über%20uns")]
fn about_us() -> String {
    "we".to_owned()
}

/// By number.
#[resource("notes://number/{n}")]
fn number(n: u8) -> Option<String> {
    (n < 10).then(|| n.to_string())
}

async fn text(uri: &str) -> String {
    let result = client(module_path!()).read(uri).await.unwrap_or_else(|error| panic!("{uri}: {error:?}"));
    let contents = serde_json::to_value(&result.contents[0]).expect("contents serialize");
    assert_eq!(contents["uri"], uri);
    contents["text"].as_str().expect("it is text").to_owned()
}

/// `PrefectHQ/fastmcp#2322`, `#2085`: a template whose variables are all in the query matches without a query.
#[tokio::test]
async fn a_query_may_be_left_out() {
    assert_eq!(text("data://config").await, "json");
    assert_eq!(text("data://config?format=yaml").await, "yaml");
    assert_eq!(text("resource://ares/x/").await, "x 0");
    assert_eq!(text("resource://ares/x/?my_param=7").await, "x 7");
}

/// `modelcontextprotocol/python-sdk#159`, `modelcontextprotocol/csharp-sdk#821`: `{name}` is one segment, `{+path}`
/// is any number of them, and an escaped slash is part of the value.
#[tokio::test]
async fn slashes_belong_to_reserved_expansion() {
    assert_eq!(text("notes://any/docs2/topic-auth.md").await, "docs2/topic-auth.md");
    assert_eq!(text("notes://one/a%2Fb").await, "a/b");
    assert_eq!(code(client(module_path!()).read("notes://one/a/b").await), -32602);
}

/// `PrefectHQ/fastmcp#5166`: a literal that a URI must escape is found escaped, in either case, and as it was written.
#[tokio::test]
async fn a_literal_outside_ascii_is_found_in_every_spelling() {
    assert_eq!(text("file:///my%20docs/caf%C3%A9/a.txt").await, "a.txt");
    assert_eq!(text("file:///my%20docs/caf%c3%a9/a.txt").await, "a.txt");
    assert_eq!(text("file:///my%20docs/café/a.txt").await, "a.txt");
    assert_eq!(text("notes://über%20uns").await, "we");
    assert_eq!(text("notes://%C3%BCber%20uns").await, "we");
    assert_eq!(text("notes://%c3%bcber%20uns").await, "we");
}

/// `modelcontextprotocol/rust-sdk` SEP-2164: a resource that is not there is `-32602` with its URI, whether no
/// template matches, a variable does not fit, or the function finds nothing.
#[tokio::test]
async fn a_missing_resource_is_invalid_params_with_its_uri() {
    for uri in
        ["notes://nowhere", "notes://number/999", "notes://number/x", "notes://number/42", "", "no uri"]
    {
        let error = client(module_path!()).read(uri).await.expect_err("there is none");
        assert_eq!(error.code(), -32602, "{uri}: {error:?}");
        assert_eq!(error.data(), Some(&json!({ "uri": uri })));
    }
    assert_eq!(code(client(module_path!()).request("resources/read", json!({})).await), -32602);
    assert_eq!(code(client(module_path!()).request("resources/read", json!({ "uri": 7 })).await), -32602);
}

/// `langchain-ai/langchain#40186`, `anthropics/anthropic-sdk-python#1836`: clients fail on bytes without a MIME type.
#[tokio::test]
async fn contents_always_have_a_mime_type() {
    let client = client(module_path!());
    for (uri, mime) in [("notes://picture", "image/png"), ("notes://bytes", "application/octet-stream")] {
        let result = client.request("resources/read", json!({ "uri": uri })).await.expect("it is read");
        assert_eq!(result["contents"][0]["mimeType"], mime);
        assert!(result["contents"][0]["blob"].is_string() && result["contents"][0].get("text").is_none());
    }
}

/// `fiberplane/mcp-lite#107`: templates are listed as templates, the others as resources.
#[tokio::test]
async fn templates_and_resources_have_lists_of_their_own() {
    let client = client(module_path!());
    let template = listed(&client, "resourceTemplates", "config").await;
    assert_eq!(template["uriTemplate"], "data://config{?format}");
    assert_eq!(template.get("uri"), None);
    assert_eq!(listed(&client, "resources", "picture").await["uri"], "notes://picture");
    assert_eq!(client.list("resources").await.expect("lists are served").len(), 3);
}
