//! server/discover: `listChanged` and `subscribe` where there can be changes, and nowhere else.

use mcp_runtime::testing::Client;
use mcp_runtime::{Context, DynamicPrompt, DynamicTool, Server};
use mcp_tests::NONE;
use serde_json::{Value, json};

use crate::running;

mod asks {
    use mcp_runtime::prelude::*;

    #[tool]
    fn adds(ctx: &Context) {
        let tool = mcp_runtime::DynamicTool::new("more", |_: Context| async { "more" });
        ctx.server().add_tool(tool).unwrap();
    }
}

mod still {
    use mcp_runtime::prelude::*;

    #[tool]
    fn still() {}
}

async fn capabilities(client: &Client) -> Value {
    client.request("server/discover", json!({})).await.unwrap()["capabilities"].clone()
}

fn server(module: &str) -> Server {
    mcp_tests::server(&format!("changes::capabilities::{module}"))
}

#[tokio::test]
async fn a_server_that_cannot_change_does_not_say_so() {
    let client = Client::new(server("still")).unwrap();
    assert_eq!(capabilities(&client).await, json!({ "logging": {}, "tools": {} }));
}

#[tokio::test]
async fn a_function_with_a_context_can_change_what_is_served() {
    let client = Client::new(server("asks")).unwrap();
    assert_eq!(capabilities(&client).await, json!({ "logging": {}, "tools": { "listChanged": true } }));
    client.call("adds", json!({})).await.unwrap();
    assert_eq!(client.call("more", json!({})).await.unwrap().text(), "more");
}

/// Everything may be added, so everything is served, be it empty.
#[tokio::test]
async fn a_handle_can_change_everything() {
    let server = server("still");
    let handle = server.handle();
    let client = Client::new(server).unwrap();
    let changing = json!({
        "logging": {},
        "tools": { "listChanged": true },
        "resources": { "subscribe": true, "listChanged": true },
        "prompts": { "listChanged": true },
    });
    assert_eq!(capabilities(&client).await, changing);
    for list in ["prompts", "resources", "resourceTemplates"] {
        assert_eq!(client.list(list).await.unwrap(), NONE);
    }
    assert_eq!(client.prompt("x", json!({})).await.unwrap_err().code(), -32602);
    let prompt = DynamicPrompt::new("x", |_: mcp_runtime::Variables, _: Context| async { "x" })
        .argument("style", "How.")
        .values("style", ["a", "b"]);
    handle.add_prompt(prompt).unwrap();
    assert_eq!(capabilities(&client).await["completions"], json!({}));
    handle.remove_prompt("x");
    handle.disable("still");
    assert_eq!(capabilities(&client).await, changing);
    assert_eq!(client.list("tools").await.unwrap(), NONE);
}

/// server/utilities/pagination: a cursor of an older list opens on the newer one, or is refused.
#[tokio::test]
async fn cursors_outlive_a_change() {
    let (_, _, published) = running();
    let server = server("still").page_size(2).bus(published);
    let handle = server.handle();
    let client = Client::new(server).unwrap();
    let add = |name| handle.add_tool(DynamicTool::new(name, |_: Context| async {})).unwrap();
    ["a", "b", "c"].into_iter().for_each(add);
    let page = client.request("tools/list", json!({})).await.unwrap();
    let cursor = json!({ "cursor": page["nextCursor"] });
    add("0");
    let page = client.request("tools/list", cursor.clone()).await.unwrap();
    let names: Vec<_> = page["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(names, ["b", "c"]);
    assert!(["0", "a", "b"].into_iter().all(|name| handle.remove_tool(name)));
    let error = client.request("tools/list", cursor).await.unwrap_err();
    assert_eq!((error.code(), error.message()), (-32602, "Invalid cursor: start again without one"));
}
