//! Entries that are hidden and shown again.

use mcp_runtime::testing::Client;
use mcp_runtime::{Change, Context, DynamicTool};
use serde_json::json;

use crate::{listed, running, server};

fn ping() -> DynamicTool {
    DynamicTool::new("ping", |_: Context| async { "pong" }).group("admin")
}

/// Hidden entries are in no list, and answered like unknown ones.
#[tokio::test]
async fn a_disabled_tool_is_unknown() {
    let (client, handle, published) = running();
    assert!(handle.disable("linked"));
    assert!(!handle.is_enabled("linked"));
    assert_eq!(listed(&client, "tools").await, ["reset"]);
    let error = client.call("linked", json!({})).await.unwrap_err();
    assert_eq!((error.code(), error.message()), (-32602, "Unknown tool: linked"));
    assert!(!handle.disable("linked"));
    assert!(!handle.disable("nothing of this name"));
    assert_eq!(published.take(), [Change::Tools]);
    assert!(handle.enable("linked"));
    assert!(!handle.enable("linked"));
    assert_eq!(published.take(), [Change::Tools]);
    assert_eq!(client.call("linked", json!({})).await.unwrap().text(), "linked");
}

#[tokio::test]
async fn a_group_is_all_that_is_in_it() {
    let (client, handle, published) = running();
    handle.add_tool(ping()).unwrap();
    published.take();
    assert!(handle.disable("admin"));
    assert_eq!(published.take(), [Change::Tools, Change::Prompts]);
    assert_eq!(listed(&client, "tools").await, ["linked"]);
    assert_eq!(listed(&client, "prompts").await, [""; 0]);
    // The last word wins, for each entry.
    assert!(handle.enable("ping"));
    assert_eq!(published.take(), [Change::Tools]);
    assert_eq!(listed(&client, "tools").await, ["linked", "ping"]);
    assert!(handle.enable("admin"));
    assert_eq!(published.take(), [Change::Tools, Change::Prompts]);
    assert_eq!(listed(&client, "tools").await, ["linked", "ping", "reset"]);
}

#[tokio::test]
async fn resources_go_by_address_template_or_name() {
    let (client, handle, published) = running();
    for name in ["notes://linked", "notes://link%65d", "note"] {
        assert!(handle.disable(name));
        assert_eq!(listed(&client, "resources").await, [""; 0]);
        assert_eq!(client.read("notes://linked").await.unwrap_err().code(), -32602);
        assert!(handle.enable(name));
        assert_eq!(published.take(), [Change::Resources, Change::Resources]);
    }
    for name in ["db://{table}/rows/{id}", "row"] {
        assert!(handle.disable(name));
        assert_eq!(listed(&client, "resourceTemplates").await, [""; 0]);
        assert_eq!(client.read("db://a/rows/1").await.unwrap_err().code(), -32602);
        assert!(handle.enable(name));
        assert!(client.read("db://a/rows/1").await.is_ok());
    }
}

#[tokio::test]
async fn what_is_hidden_before_the_start_is_hidden_from_the_start() {
    let server = server();
    let handle = server.handle();
    handle.add_tool(ping()).unwrap();
    assert!(handle.disable("admin"));
    assert!(!handle.disable("admin"));
    assert!(handle.enable("reset"));
    assert!(!handle.is_enabled("ping") && !handle.is_enabled("audit") && handle.is_enabled("reset"));
    let client = Client::new(server).unwrap();
    assert_eq!(listed(&client, "tools").await, ["linked", "reset"]);
    assert_eq!(listed(&client, "prompts").await, [""; 0]);
    assert!(handle.enable("admin"));
    assert_eq!(listed(&client, "tools").await, ["linked", "ping", "reset"]);
    assert_eq!(listed(&client, "prompts").await, ["audit"]);
}

/// Clients do not see it go, so they are not told.
#[tokio::test]
async fn what_is_removed_while_hidden_is_no_change() {
    let (client, handle, published) = running();
    handle.add_tool(ping()).unwrap();
    handle.disable("ping");
    published.take();
    assert!(handle.remove_tool("ping"));
    assert_eq!(published.take(), []);
    assert!(!handle.enable("ping"));
    handle.add_tool(ping()).unwrap();
    assert_eq!(listed(&client, "tools").await, ["linked", "ping", "reset"]);
}
