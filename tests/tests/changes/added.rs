//! Tools that come and go.

use std::time::Duration;

use mcp_runtime::testing::Client;
use mcp_runtime::{Change, Context, DynamicHandler, DynamicTool, Error, Icon, Json, LogLevel, Result};
use serde_json::{Value, json};

use crate::{listed, running, server};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Greet {
    /// Whom to greet.
    name: String,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Sum {
    sum: i64,
}

fn greet() -> DynamicTool {
    DynamicTool::new("greet", |greet: Greet, _: Context| async move { format!("Hello, {}!", greet.name) })
}

#[tokio::test]
async fn a_tool_is_there_from_when_it_is_added_until_it_is_removed() {
    let (client, handle, published) = running();
    assert_eq!(listed(&client, "tools").await, ["linked", "reset"]);

    handle.add_tool(greet()).unwrap();
    assert_eq!(listed(&client, "tools").await, ["greet", "linked", "reset"]);
    assert_eq!(client.call("greet", json!({ "name": "Ada" })).await.unwrap().text(), "Hello, Ada!");
    assert_eq!(published.take(), [Change::Tools]);

    assert!(handle.remove_tool("greet"));
    assert_eq!(listed(&client, "tools").await, ["linked", "reset"]);
    let error = client.call("greet", json!({ "name": "Ada" })).await.unwrap_err();
    assert_eq!((error.code(), error.message()), (-32602, "Unknown tool: greet"));
    assert_eq!(published.take(), [Change::Tools]);

    assert!(!handle.remove_tool("greet"));
    assert!(!handle.remove_tool("linked"), "it was not added");
    assert_eq!(published.take(), []);
    handle.add_tool(greet()).unwrap();
    assert_eq!(listed(&client, "tools").await, ["greet", "linked", "reset"]);
}

#[tokio::test]
async fn what_is_added_before_the_start_is_there_from_the_start() {
    let server = server();
    let handle = server.handle();
    handle.add_tool(greet()).unwrap();
    assert!(handle.is_enabled("greet") && handle.is_enabled("linked"));
    let client = Client::new(server).unwrap();
    assert_eq!(listed(&client, "tools").await, ["greet", "linked", "reset"]);
    assert!(handle.remove_tool("greet"));
    assert_eq!(listed(&client, "tools").await, ["linked", "reset"]);
}

/// `Tool` (server/tools, Data Types), as for a `#[tool]`.
#[tokio::test]
async fn a_tool_is_listed_with_all_that_it_says() {
    let (client, handle, _) = running();
    let add = |numbers: std::collections::BTreeMap<String, i64>, _: Context| async move {
        Json(Sum { sum: numbers.values().sum() })
    };
    let tool = DynamicTool::new("add", add)
        .title("Add")
        .description("Add what is given.")
        .icon(Icon::new("https://example.com/add.png"))
        .meta("example.com/cost", 3)
        .read_only(true)
        .open_world(false);
    handle.add_tool(tool).unwrap();
    handle.add_tool(DynamicTool::new("nothing", |_: Context| async {})).unwrap();
    handle.add_tool(greet()).unwrap();
    let tools = client.list("tools").await.unwrap();
    assert_eq!(
        tools[..2],
        [
            json!({
                "name": "add",
                "title": "Add",
                "description": "Add what is given.",
                "inputSchema": {
                    "type": "object",
                    "properties": {},
                    "additionalProperties": { "type": "integer" },
                },
                "outputSchema": {
                    "type": "object",
                    "properties": { "sum": { "type": "integer" } },
                    "required": ["sum"],
                },
                "annotations": { "readOnlyHint": true, "openWorldHint": false },
                "icons": [{ "src": "https://example.com/add.png" }],
                "_meta": { "example.com/cost": 3 },
            }),
            json!({
                "name": "greet",
                "inputSchema": {
                    "type": "object",
                    "properties": { "name": { "type": "string", "description": "Whom to greet." } },
                    "required": ["name"],
                },
            }),
        ]
    );
    assert_eq!(
        tools[3]["inputSchema"],
        json!({ "type": "object", "properties": {}, "additionalProperties": false })
    );
    let sum = client.call("add", json!({ "a": 1, "b": 41 })).await.unwrap();
    assert_eq!(sum.structured_content, Some(json!({ "sum": 42 })));
}

struct Repeat {
    times: usize,
}

impl DynamicHandler<Greet> for Repeat {
    type Output = Result<String>;

    async fn call(&self, greet: Greet, ctx: Context) -> Result<String> {
        ctx.log(LogLevel::Info, "repeating");
        tokio::task::yield_now().await;
        if greet.name.is_empty() {
            return Err("nobody to greet".into());
        }
        Ok(greet.name.repeat(self.times))
    }
}

#[tokio::test]
async fn a_type_can_be_the_handler() {
    let (client, handle, _) = running();
    handle.add_tool(DynamicTool::new("repeat", Repeat { times: 3 })).unwrap();
    assert_eq!(client.call("repeat", json!({ "name": "ab" })).await.unwrap().text(), "ababab");
    let failed = client.call("repeat", json!({ "name": "" })).await.unwrap();
    assert_eq!((failed.text().as_str(), failed.is_error), ("nobody to greet", true));
}

/// "A panic is caught, logged with its location, and answered as an internal error without its text."
#[tokio::test]
async fn a_panic_is_answered_and_the_next_call_works() {
    let (client, handle, _) = running();
    let divide =
        |given: serde_json::Map<String, Value>, _: Context| async move { 12 / given["by"].as_i64().unwrap() };
    handle.add_tool(DynamicTool::new("divide", divide)).unwrap();
    let early = |_: Context| -> std::future::Ready<()> { panic!("before there is a future") };
    handle.add_tool(DynamicTool::new("early", early)).unwrap();
    for (name, arguments) in [("divide", json!({ "by": 0 })), ("divide", json!({})), ("early", json!({}))] {
        let error = client.call(name, arguments).await.unwrap_err();
        assert_eq!((error.code(), error.message()), (-32603, "Internal error"));
    }
    assert_eq!(client.call("divide", json!({ "by": 4 })).await.unwrap().text(), "3");
}

#[tokio::test]
async fn a_timeout_ends_the_call() {
    let (client, handle, _) = running();
    let slow = |_: Context| async { std::future::pending::<()>().await };
    handle.add_tool(DynamicTool::new("slow", slow).timeout(Duration::from_millis(20))).unwrap();
    let result = client.call("slow", json!({})).await.unwrap();
    assert_eq!(result.text(), "`slow` did not finish within 20ms and was cancelled");
    assert!(result.is_error);
}

#[tokio::test]
async fn a_protocol_error_is_the_answer() {
    let (client, handle, _) = running();
    let fail = |_: Context| async { Err::<(), _>(Error::new(-32099, "not here")) };
    handle.add_tool(DynamicTool::new("fail", fail)).unwrap();
    let error = client.call("fail", json!({})).await.unwrap_err();
    assert_eq!((error.code(), error.message()), (-32099, "not here"));
}

#[derive(mcp_runtime::Elicit)]
struct Confirm {
    /// Go on?
    sure: bool,
}

#[tokio::test]
async fn it_can_ask_the_client() {
    let (client, handle, _) = running();
    let client = client.capabilities(json!({ "elicitation": {} }));
    let wipe = |_: Context| async {};
    handle.add_tool(DynamicTool::new("wipe", wipe)).unwrap();
    let delete = |ctx: Context| async move {
        let answer = ctx.elicit::<Confirm>("Delete everything?").key("sure").await?;
        let sure = answer.accepted().is_some_and(|confirm| confirm.sure);
        Result::<_>::Ok(if sure { ctx.server().remove_tool("wipe") } else { false })
    };
    handle.add_tool(DynamicTool::new("delete", delete)).unwrap();
    let yes = json!({ "action": "accept", "content": { "sure": true } });
    let deleted = client.call("delete", json!({})).answer("sure", yes).await.unwrap();
    assert_eq!(deleted.text(), "true");
    assert_eq!(listed(&client, "tools").await, ["delete", "linked", "reset"]);
}
