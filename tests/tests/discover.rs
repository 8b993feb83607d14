//! server/discover: versions, capabilities and identity in one answer.

use mcp_runtime::Server;
use mcp_runtime::testing::Client;
use mcp_tests::{client, error, exchange, result};
use serde_json::{Value, json};

mod everything {
    use mcp_runtime::prelude::*;

    #[tool]
    fn tool() {}

    #[prompt]
    fn prompt(flag: bool) -> String {
        flag.to_string()
    }

    #[resource("app://a")]
    fn resource() -> &'static str {
        "a"
    }
}

mod tools {
    use mcp_runtime::prelude::*;

    /// An enum among a tool's arguments is no completion: tools have none.
    #[tool]
    fn tool(flag: bool) -> bool {
        flag
    }
}

mod template {
    use mcp_runtime::prelude::*;

    #[resource("row://{id}")]
    fn row(id: i64) -> String {
        id.to_string()
    }
}

mod prompts {
    use mcp_runtime::prelude::*;

    #[prompt]
    fn prompt(text: String) -> String {
        text
    }
}

/// Request and Response, as on the page.
#[tokio::test]
async fn the_page_s_request_gets_the_page_s_response() {
    let server = Server::new()
        .only("discover::everything")
        .name("ExampleServer")
        .version("1.0.0")
        .instructions("This server provides weather and resource utilities.")
        .cache(mcp_runtime::Cache::public(std::time::Duration::from_secs(3600)));
    let client = Client::new(server).expect("it starts");
    let request = json!({
        "jsonrpc": "2.0",
        "id": "discover-1",
        "method": "server/discover",
        "params": {
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": "ExampleClient", "version": "1.0.0" },
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    });
    let (notifications, answer) = exchange(&client, &request).await;
    assert_eq!(notifications, Vec::<Value>::new());
    assert_eq!(
        answer,
        json!({
            "jsonrpc": "2.0",
            "id": "discover-1",
            "result": {
                "resultType": "complete",
                "supportedVersions": ["2026-07-28"],
                "capabilities": { "logging": {}, "tools": {}, "resources": {}, "prompts": {}, "completions": {} },
                "_meta": {
                    "io.modelcontextprotocol/serverInfo": { "name": "ExampleServer", "version": "1.0.0" },
                },
                "instructions": "This server provides weather and resource utilities.",
                "ttlMs": 3_600_000,
                "cacheScope": "public",
            },
        })
    );
}

/// `DiscoverResult`: `capabilities` has what the server has entries for, and nothing else; no `instructions` where the
/// author gives none.
#[tokio::test]
async fn capabilities_are_what_the_server_has() {
    for (module, capabilities) in [
        ("discover::tools", json!({ "logging": {}, "tools": {} })),
        ("discover::template", json!({ "logging": {}, "resources": {} })),
        ("discover::prompts", json!({ "logging": {}, "prompts": {} })),
    ] {
        assert_eq!(
            result(&client(module), "server/discover", json!({})).await,
            json!({
                "supportedVersions": ["2026-07-28"],
                "capabilities": capabilities,
                "ttlMs": 60_000,
                "cacheScope": "public",
            })
        );
    }
}

/// basic/index, Error Codes: a method of a capability that was not declared is not found.
#[tokio::test]
async fn methods_of_other_capabilities_are_not_found() {
    for (module, methods) in [
        (
            "discover::tools",
            vec![
                "resources/list",
                "resources/templates/list",
                "resources/read",
                "prompts/list",
                "prompts/get",
            ],
        ),
        ("discover::template", vec!["tools/list", "tools/call", "prompts/list", "prompts/get"]),
        ("discover::prompts", vec!["tools/list", "tools/call", "resources/list", "resources/read"]),
    ] {
        let client = client(module);
        for method in methods.into_iter().chain(["completion/complete"]) {
            assert_eq!(
                error(&client, method, json!({})).await,
                json!({ "code": -32601, "message": format!("Method not found: {method}") }),
                "{module}"
            );
        }
    }
}

/// server/resources, Capabilities: "Servers that declare the `resources` capability MUST respond to `resources/list`",
/// also when all they have is templates, or none.
#[tokio::test]
async fn declared_lists_are_answered_even_when_empty() {
    let client = client("discover::template");
    assert_eq!(result(&client, "resources/list", json!({})).await["resources"], json!([]));
    let client = self::client("discover::everything");
    assert_eq!(result(&client, "resources/templates/list", json!({})).await["resourceTemplates"], json!([]));
}
