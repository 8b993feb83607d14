//! client/roots: the folders that a person works in. Deprecated, and working.

#![allow(deprecated)]

use mcp_tests::client;
use mcp_tests::rounds::{Rounds, asked, ended, failed};
use serde_json::json;

mod tools {
    use mcp_runtime::prelude::*;

    #[tool]
    async fn folders(ctx: &Context) -> Result<String> {
        let roots = ctx.roots().key("roots").await?;
        let told = roots.into_iter().map(|root| format!("{} {}", root.uri, root.name.unwrap_or_default()));
        Ok(told.collect::<Vec<_>>().join(", "))
    }
}

fn tools() -> mcp_runtime::testing::Client {
    client(concat!(module_path!(), "::tools"))
}

/// "Listing Roots", word for word.
#[tokio::test]
async fn roots_are_listed() {
    let client = tools();
    let call = Rounds::call(&client, "folders", json!({})).declaring(json!({ "roots": {} }));
    let asked = asked(&call.begin().await);
    assert_eq!(asked.requests, json!({ "roots": { "method": "roots/list" } }));
    let roots = json!({ "roots": [
        { "uri": "file:///home/user/projects/myproject", "name": "My Project" },
        { "uri": "file:///home/user/repos/backend" }
    ]});
    let answer = call.answer(&asked, json!({ "roots": roots })).await;
    assert_eq!(
        ended(&answer),
        "file:///home/user/projects/myproject My Project, file:///home/user/repos/backend "
    );
    let answer = call.answer(&asked, json!({ "roots": { "roots": [] } })).await;
    assert_eq!(ended(&answer), "");
}

#[tokio::test]
async fn what_a_client_did_not_declare_is_never_sent() {
    let client = tools();
    for capabilities in [json!({}), json!({ "roots": null }), json!({ "elicitation": {} })] {
        let answer = Rounds::call(&client, "folders", json!({})).declaring(capabilities).begin().await;
        assert_eq!(failed(&answer).0, -32021);
        assert_eq!(answer["error"]["data"], json!({ "requiredCapabilities": { "roots": {} } }));
    }
}

#[tokio::test]
async fn what_lists_no_roots_is_malformed() {
    let client = tools();
    let call = Rounds::call(&client, "folders", json!({}));
    let first = asked(&call.begin().await);
    for listed in [json!(null), json!([]), json!({}), json!({ "roots": [{ "name": "x" }] })] {
        let answer = call.answer(&first, json!({ "roots": listed })).await;
        let (code, message) = failed(&answer);
        assert_eq!(code, -32602, "{listed}");
        assert!(message.starts_with("Invalid params: `inputResponses.roots`: "), "{message}");
    }
}
