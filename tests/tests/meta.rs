//! basic/index, `_meta`, and basic/versioning: what every request and every result has to say about itself.

use mcp_runtime::testing::Client;
use mcp_runtime::{Icon, Server};
use mcp_tests::{VERSION, client, error, exchange, request, said};
use serde_json::{Value, json};

mod entries {
    use mcp_runtime::prelude::*;

    #[tool]
    fn tool() -> ToolResult {
        ToolResult::new().meta("com.example/own", 1)
    }

    #[tool]
    fn fails() -> Result<(), &'static str> {
        Err("no")
    }

    #[tool]
    fn seen(ctx: &Context) -> String {
        let trace: Option<String> = ctx.meta("traceparent");
        let tenant: Option<u32> = ctx.meta("com.example/tenant");
        let wrong: Option<u32> = ctx.meta("traceparent");
        let name = ctx.client().info().map(|info| format!("{} {} {:?}", info.name, info.version, info.title));
        let capabilities = serde_json::Value::Object(ctx.client().capabilities().clone());
        format!("{trace:?} {tenant:?} {wrong:?} {name:?} {capabilities} {}", ctx.request_id())
    }

    #[prompt]
    fn prompt(flag: Option<bool>) -> String {
        format!("{flag:?}")
    }

    #[resource("app://a")]
    fn resource() -> &'static str {
        "a"
    }

    #[resource("row://{id}")]
    fn template(id: i64) -> String {
        id.to_string()
    }
}

fn entries() -> Client {
    client("meta::entries")
}

/// A request of every method that the server has.
fn every_method() -> Vec<(&'static str, Value)> {
    let complete = json!({
        "ref": { "type": "ref/prompt", "name": "prompt" },
        "argument": { "name": "flag", "value": "" },
    });
    vec![
        ("server/discover", json!({})),
        ("tools/list", json!({})),
        ("tools/call", json!({ "name": "tool" })),
        ("tools/call", json!({ "name": "fails" })),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({ "uri": "app://a" })),
        ("resources/read", json!({ "uri": "row://1" })),
        ("prompts/list", json!({})),
        ("prompts/get", json!({ "name": "prompt" })),
        ("completion/complete", complete),
    ]
}

async fn answer(client: &Client, message: &Value) -> Value {
    exchange(client, message).await.1
}

/// "A request missing any required field is malformed; the server MUST reject it with […] `-32602`."
#[tokio::test]
async fn a_missing_field_is_invalid_params() {
    let client = entries();
    for (method, params) in every_method() {
        for key in ["protocolVersion", "clientCapabilities"] {
            let mut message = request(1, method, params.clone());
            let full = format!("io.modelcontextprotocol/{key}");
            message["params"]["_meta"].as_object_mut().expect("an object").shift_remove(&full);
            assert_eq!(
                answer(&client, &message).await["error"],
                json!({ "code": -32602, "message": format!("Invalid params: `_meta[\"{full}\"]` is missing") }),
                "{method}"
            );
        }
        let missing = "Invalid params: `_meta[\"io.modelcontextprotocol/protocolVersion\"]` is missing";
        let mut message = request(1, method, params.clone());
        message["params"].as_object_mut().expect("an object").shift_remove("_meta");
        assert_eq!(answer(&client, &message).await["error"], json!({ "code": -32602, "message": missing }));
        for nothing in [json!({ "jsonrpc": "2.0", "id": 1, "method": method }), {
            json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": null })
        }] {
            assert_eq!(
                answer(&client, &nothing).await["error"],
                json!({ "code": -32602, "message": missing })
            );
        }
    }
}

/// Typed clients send null for an optional field that they leave out.
#[tokio::test]
async fn null_is_as_good_as_missing_where_a_field_is_optional() {
    let client = entries();
    for name in ["progressToken", "io.modelcontextprotocol/clientInfo", "io.modelcontextprotocol/logLevel"] {
        let result = client.request("tools/list", json!({})).meta(name, Value::Null).await;
        assert!(result.is_ok(), "{name}: {result:?}");
    }
}

/// Fields of the wrong type are as good as missing.
#[tokio::test]
async fn a_field_of_the_wrong_type_is_invalid_params() {
    let client = entries();
    let key = |name: &str| format!("io.modelcontextprotocol/{name}");
    for (name, value, expected) in [
        (key("protocolVersion"), json!(20_260_728), "a string, not a number"),
        (key("protocolVersion"), json!(null), "a string, not null"),
        (key("clientCapabilities"), json!(null), "an object, not null"),
        (key("clientCapabilities"), json!([]), "an object, not an array"),
        (key("clientCapabilities"), json!("{}"), "an object, not a string"),
        (key("clientInfo"), json!("me"), "an object, not a string"),
        (key("logLevel"), json!(3), "a string, not a number"),
    ] {
        assert_eq!(
            error(&client, "tools/list", json!({ "_meta": { &name: value } })).await["message"],
            json!(format!("Invalid params: `_meta[\"{name}\"]` must be {expected}"))
        );
    }
    for token in [json!(1.5), json!({}), json!(true)] {
        assert_eq!(
            error(&client, "tools/list", json!({ "_meta": { "progressToken": token } })).await,
            json!({
                "code": -32602,
                "message": "Invalid params: `_meta.progressToken` must be a string or an integer",
            })
        );
    }
    for (meta, kind) in [(json!([]), "an array"), (json!(null), "null"), (json!("x"), "a string")] {
        let mut message = request(1, "tools/list", json!({}));
        message["params"]["_meta"] = meta;
        assert_eq!(
            answer(&client, &message).await["error"],
            json!({ "code": -32602, "message": format!("Invalid params: `params._meta` must be an object, not {kind}") })
        );
    }
    for (params, kind) in [(json!([]), "an array"), (json!("x"), "a string"), (json!(1), "a number")] {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params });
        assert_eq!(
            answer(&client, &message).await["error"],
            json!({ "code": -32602, "message": format!("Invalid params: `params` must be an object, not {kind}") })
        );
    }
}

/// Protocol Version Negotiation: "it MUST respond with an `UnsupportedProtocolVersionError` listing the versions it
/// does support".
#[tokio::test]
async fn an_unsupported_version_is_told_the_supported_ones() {
    let client = entries();
    for version in ["1900-01-01", "2025-11-25", "2024-11-05", "2027-01-01", "", "2026-07-28 ", "draft"] {
        for (method, mut params) in every_method() {
            params["_meta"] = json!({ "io.modelcontextprotocol/protocolVersion": version });
            assert_eq!(
                error(&client, method, params).await,
                json!({
                    "code": -32022,
                    "message": "Unsupported protocol version",
                    "data": { "supported": [VERSION], "requested": version },
                })
            );
        }
    }
}

/// The version decides how the rest is read, so it is judged first.
#[tokio::test]
async fn the_version_is_judged_before_the_capabilities() {
    let message = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/list",
        "params": { "_meta": { "io.modelcontextprotocol/protocolVersion": "1900-01-01" } },
    });
    assert_eq!(answer(&entries(), &message).await["error"]["code"], -32022);
}

/// Backward Compatibility: a modern server "SHOULD name the protocol versions it supports in any error it returns to
/// an `initialize` request".
#[tokio::test]
async fn initialize_is_told_the_supported_versions() {
    let message = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "ExampleClient", "version": "1.0.0" },
        },
    });
    assert_eq!(
        answer(&entries(), &message).await["error"],
        json!({
            "code": -32022,
            "message": "Unsupported protocol version",
            "data": { "supported": [VERSION], "requested": "2025-11-25" },
        })
    );
}

/// "The `result` MUST include a `resultType` field"; "Servers SHOULD include […] `serverInfo` in every result's
/// `_meta`".
#[tokio::test]
async fn every_result_has_its_type_and_names_the_server() {
    let client = entries();
    for (method, params) in every_method() {
        let result = answer(&client, &request("x", method, params)).await["result"].take();
        assert_eq!(result["resultType"], "complete", "{method}");
        let mut expected = json!({
            "io.modelcontextprotocol/serverInfo": { "name": "tests", "version": "1.2.3" },
        });
        if result.get("content") == Some(&json!([])) {
            expected["com.example/own"] = json!(1);
        }
        assert_eq!(result["_meta"], expected, "{method}");
    }
}

/// `Implementation`: all that the author says of the server.
#[tokio::test]
async fn the_server_says_who_it_is() {
    let server = Server::new()
        .only("meta::entries")
        .name("ExampleServer")
        .title("Example")
        .version("1.0.0")
        .description("An example.")
        .website("https://example.com")
        .icon(Icon { sizes: &["48x48"], theme: Some("dark"), ..Icon::new("https://example.com/icon.png") });
    let client = Client::new(server).expect("it starts");
    let result = answer(&client, &request(1, "tools/list", json!({}))).await["result"].take();
    assert_eq!(
        result["_meta"]["io.modelcontextprotocol/serverInfo"],
        json!({
            "name": "ExampleServer", "title": "Example", "version": "1.0.0", "description": "An example.",
            "websiteUrl": "https://example.com",
            "icons": [{ "src": "https://example.com/icon.png", "sizes": ["48x48"], "theme": "dark" }],
        })
    );
    let unnamed = Client::new(Server::new().only("meta::entries")).expect("it starts");
    let result = answer(&unnamed, &request(1, "tools/list", json!({}))).await["result"].take();
    let name =
        result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"].as_str().expect("a name").to_owned();
    assert!(name.starts_with("meta-"), "the name of the executable: {name}");
}

/// "Result responses MUST include the same ID as the request they correspond to", written as it was.
#[tokio::test]
async fn the_id_comes_back_as_it_was() {
    let client = entries();
    for id in
        ["1", "-7", "0", "9007199254740993", "12345678901234567890123", "\"x\"", "\"\"", "\"a\\u0022 b\""]
    {
        let message =
            request(0, "tools/list", json!({})).to_string().replacen("\"id\":0", &format!("\"id\":{id}"), 1);
        let message = message.into_bytes();
        let answers = client.send(message).await;
        let expected: Value = serde_json::from_str(id).expect("JSON");
        assert_eq!(answers[0]["id"], expected, "{id}");
        assert!(answers[0]["result"].is_object());
    }
}

/// Statelessness: "Every request supplies this metadata"; handlers see that of their own request.
#[tokio::test]
async fn handlers_see_the_metadata_of_their_request() {
    let client = entries();
    let trace = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
    let params = json!({
        "name": "seen",
        "_meta": {
            "traceparent": trace,
            "com.example/tenant": 7,
            "io.modelcontextprotocol/clientInfo": { "name": "other", "version": "2", "title": "Other", "x": 1 },
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
        },
    });
    let seen = answer(&client, &request("id", "tools/call", params)).await;
    assert_eq!(
        seen["result"]["content"][0]["text"],
        format!(
            "Some(\"{trace}\") Some(7) None Some(\"other 2 Some(\\\"Other\\\")\") {{\"elicitation\":{{\"form\":{{}}}}}} \"id\""
        )
    );
    assert_eq!(
        said(&client, "seen", json!({})).await,
        "None None None Some(\"ExampleClient 1.0.0 None\") {} 1",
        "nothing of the request before"
    );
    let mut message = request(2, "tools/call", json!({ "name": "seen" }));
    let meta = message["params"]["_meta"].as_object_mut().expect("an object");
    meta.shift_remove("io.modelcontextprotocol/clientInfo");
    assert_eq!(answer(&client, &message).await["result"]["content"][0]["text"], "None None None None {} 2");
}

/// Error Codes: "Method not found", for methods of other revisions, of capabilities that the server lacks, and of
/// none.
#[tokio::test]
async fn an_unknown_method_is_not_found() {
    let client = entries();
    for method in
        ["tools/calls", "ping", "logging/setLevel", "resources/subscribe", "initialize", "", "Tools/List"]
    {
        assert_eq!(
            error(&client, method, json!({})).await,
            json!({ "code": -32601, "message": format!("Method not found: {method}") })
        );
    }
}
