//! server/tools: listing tools, calling them, and what each return type gives.

mod entries;

use mcp_runtime::testing::Client;
use mcp_tests::{call, client, error, exchange, failed, listed, names, request, said};
use serde_json::{Value, json};

mod described {
    use mcp_runtime::prelude::*;

    /// Get current weather information for a location.
    ///
    /// In *two* paragraphs.
    #[tool(
        name = "get_weather",
        title = "Weather Information Provider",
        read_only,
        destructive = false,
        idempotent,
        open_world = false,
        icon("https://example.com/weather-icon.png", mime = "image/png", sizes("48x48"), theme = "dark"),
        icon("data:image/png;base64,AA=="),
        meta("com.example/team" = "weather", "com.example/cost" = 3)
    )]
    fn weather(
        /// City name or zip code.
        location: &str,
    ) -> String {
        location.to_owned()
    }

    #[tool(description = "Says so.")]
    fn plain() {}

    #[tool]
    fn bare(a: i64, b: Option<i64>) -> i64 {
        a + b.unwrap_or_default()
    }

    #[tool(strict)]
    fn strict(a: i64) -> i64 {
        a
    }
}

fn tools() -> Client {
    client("tools::entries")
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

/// Tool: name, title, description, icons, inputSchema, annotations and `_meta`, and nothing that is not said.
#[tokio::test]
async fn a_tool_is_listed_with_all_that_its_author_says() {
    let client = client("tools::described");
    assert_eq!(
        listed(&client, "tools", "get_weather").await,
        json!({
            "name": "get_weather",
            "title": "Weather Information Provider",
            "description": "Get current weather information for a location.\n\nIn *two* paragraphs.",
            "inputSchema": {
                "type": "object",
                "properties": { "location": { "type": "string", "description": "City name or zip code." } },
                "required": ["location"],
            },
            "annotations": {
                "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false,
            },
            "icons": [
                {
                    "src": "https://example.com/weather-icon.png", "mimeType": "image/png",
                    "sizes": ["48x48"], "theme": "dark",
                },
                { "src": "data:image/png;base64,AA==" },
            ],
            "_meta": { "com.example/team": "weather", "com.example/cost": 3 },
        })
    );
    assert_eq!(
        listed(&client, "tools", "bare").await,
        json!({
            "name": "bare",
            "inputSchema": {
                "type": "object",
                "properties": { "a": { "type": "integer" }, "b": { "type": "integer" } },
                "required": ["a"],
            },
        })
    );
    assert_eq!(
        listed(&client, "tools", "strict").await["inputSchema"],
        json!({
            "type": "object", "properties": { "a": { "type": "integer" } }, "required": ["a"],
            "additionalProperties": false,
        })
    );
}

/// Tool: "For tools with no parameters […] `{ "type": "object", "additionalProperties": false }`"; the `properties` are
/// for model APIs that refuse an object schema without.
#[tokio::test]
async fn a_tool_without_parameters_has_the_recommended_schema() {
    assert_eq!(
        listed(&client("tools::described"), "tools", "plain").await,
        json!({
            "name": "plain",
            "description": "Says so.",
            "inputSchema": { "type": "object", "properties": {}, "additionalProperties": false },
        })
    );
}

/// Capabilities: "Servers SHOULD return tools in a deterministic order".
#[tokio::test]
async fn tools_are_listed_by_name() {
    for _ in 0..2 {
        assert_eq!(
            names(&client("tools::described"), "tools").await,
            ["bare", "get_weather", "plain", "strict"]
        );
    }
}

/// Text Content: strings, numbers and booleans are one block each.
#[tokio::test]
async fn text_numbers_and_booleans_are_one_block_of_text() {
    let client = tools();
    for (tool, expected) in [
        ("string", "a \"quoted\"\nline\u{1}"),
        ("literal", "literal"),
        ("shared", "shared"),
        ("boxed", "boxed"),
        ("integer", "-5"),
        ("huge", "340282366920938463463374607431768211455"),
        ("float", "0.1"),
        ("boolean", "true"),
        ("character", "ß"),
    ] {
        assert_eq!(said(&client, tool, json!({})).await, expected, "{tool}");
    }
    for tool in ["borrowed", "lent"] {
        assert_eq!(said(&client, tool, json!({ "text": "lent \\ \"text\"" })).await, "lent \\ \"text\"");
    }
}

/// Tool Result: `()`, `None` and an empty list are no content; `content` is there all the same.
#[tokio::test]
async fn nothing_is_no_content() {
    let client = tools();
    for (tool, arguments) in [("unit", json!({})), ("empty", json!({})), ("option", json!({ "some": false }))]
    {
        assert_eq!(call(&client, tool, arguments).await, json!({ "content": [] }), "{tool}");
    }
    assert_eq!(said(&client, "option", json!({ "some": true })).await, "some");
}

/// Structured Content: "a tool that returns structured content SHOULD also return the serialized JSON in a
/// `TextContent` block"; it "can be any JSON value".
#[tokio::test]
async fn json_is_structured_content_and_text() {
    let client = tools();
    let weather = json!({ "temperature": 22.5, "conditions": null });
    let weather_text = r#"{"temperature":22.5,"conditions":null}"#;
    for (tool, arguments) in [("json_struct", json!({})), ("json_option", json!({ "known": true }))] {
        assert_eq!(
            call(&client, tool, arguments).await,
            json!({ "content": [text(weather_text)], "structuredContent": weather }),
            "{tool}"
        );
    }
    assert_eq!(
        call(&client, "json_list", json!({})).await,
        json!({ "content": [text("[1,2]")], "structuredContent": [1, 2] })
    );
    assert_eq!(
        call(&client, "json_text", json!({})).await,
        json!({ "content": [text("\"text\"")], "structuredContent": "text" })
    );
    assert_eq!(
        call(&client, "json_option", json!({ "known": false })).await,
        json!({ "content": [text("null")], "structuredContent": null })
    );
    assert_eq!(
        call(&client, "json_and_text", json!({})).await,
        json!({ "content": [text("It is warm."), text(weather_text)], "structuredContent": weather })
    );
    assert_eq!(
        call(&client, "json_many", json!({})).await,
        json!({ "content": [text("1"), text("2")] }),
        "a list of results has no one structured value"
    );
}

/// Output Schema: of `Json<T>`, alone or inside an `Option`, a `Result` or a tuple.
#[tokio::test]
async fn json_has_an_output_schema() {
    let client = tools();
    let weather = json!({
        "type": "object",
        "properties": {
            "temperature": { "type": "number", "description": "Temperature in celsius." },
            "conditions": { "type": ["string", "null"] },
        },
        "required": ["temperature", "conditions"],
    });
    for tool in ["json_struct", "json_or_error", "json_and_text"] {
        let schema = listed(&client, "tools", tool).await["outputSchema"].take();
        assert_eq!(schema, weather, "{tool}");
    }
    assert_eq!(
        listed(&client, "tools", "json_list").await["outputSchema"],
        json!({ "type": "array", "items": { "type": "integer", "minimum": 0, "maximum": 255 } })
    );
    for tool in ["json_many", "string", "unit", "contents", "by_hand"] {
        assert_eq!(listed(&client, "tools", tool).await.get("outputSchema"), None, "{tool}");
    }
}

/// Image, Audio, Resource Links, Embedded Resources: one block of the kind.
#[tokio::test]
async fn every_kind_of_content_is_one_block() {
    let client = tools();
    for (tool, block) in [
        ("image", json!({ "type": "image", "data": "iVBO", "mimeType": "image/png" })),
        ("audio", json!({ "type": "audio", "data": "UklGRg==", "mimeType": "audio/wav" })),
        (
            "link",
            json!({
                "type": "resource_link", "uri": "file:///project/src/main.rs", "name": "main.rs",
                "description": "Primary application entry point", "mimeType": "text/x-rust",
            }),
        ),
        (
            "embedded",
            json!({ "type": "resource", "resource": {
                "uri": "file:///project/src/main.rs", "mimeType": "text/x-rust", "text": "fn main() {}",
            } }),
        ),
        (
            "embedded_bytes",
            json!({ "type": "resource", "resource": {
                "uri": "file:///example.png", "mimeType": "image/png", "blob": "AQID",
            } }),
        ),
        (
            "content",
            json!({ "type": "text", "text": "for the user", "annotations": {
                "audience": ["user"], "priority": 0.9, "lastModified": "2025-05-03T14:30:00Z",
            } }),
        ),
    ] {
        assert_eq!(call(&client, tool, json!({})).await, json!({ "content": [block] }), "{tool}");
    }
}

/// Tool Result: "can contain multiple content items of different types", in their order.
#[tokio::test]
async fn lists_and_tuples_are_all_their_blocks() {
    let client = tools();
    let jpeg = json!({ "type": "image", "data": "/w==", "mimeType": "image/jpeg" });
    let png = json!({ "type": "image", "data": "AA==", "mimeType": "image/png" });
    for (tool, blocks) in [
        ("contents", json!([text("a chart:"), jpeg])),
        ("strings", json!([text("one"), text("two")])),
        ("array", json!([text("1"), text("2")])),
        ("tuple", json!([text("text"), png, text("7"), text("8")])),
    ] {
        assert_eq!(call(&client, tool, json!({})).await, json!({ "content": blocks }), "{tool}");
    }
}

/// Tool Result: by hand, with `structuredContent`, `isError` and `_meta`.
#[tokio::test]
async fn a_result_by_hand_is_what_its_author_put_together() {
    let client = tools();
    assert_eq!(
        call(&client, "by_hand", json!({})).await,
        json!({
            "content": [text("for the model"), { "type": "image", "data": "AQ==", "mimeType": "image/png" }],
            "structuredContent": { "n": 1 },
            "_meta": { "com.example/cost": 3, "com.example/unit": "cent" },
        })
    );
    assert_eq!(
        call(&client, "failed_by_hand", json!({})).await,
        json!({
            "content": [text("not today"), text("try again tomorrow")],
            "isError": true,
            "_meta": { "com.example/retry": true },
        })
    );
}

/// Error Handling, Tool Execution Errors: "reported in tool results with `isError: true`", with all causes.
#[tokio::test]
async fn an_error_is_a_failure_with_its_source_chain() {
    let client = tools();
    for (tool, expected) in [
        ("fails_with_string", "a string"),
        ("fails_with_str", "a literal"),
        ("fails_with_chain", "could not fetch: upstream sent nonsense: invalid digit found in string"),
        ("fails_with_repeated_cause", "reading failed: disk on fire"),
    ] {
        assert_eq!(failed(&client, tool, json!({})).await, expected, "{tool}");
    }
    assert_eq!(
        failed(&client, "fails_with_question_mark", json!({ "text": "7x" })).await,
        "invalid digit found in string"
    );
    assert_eq!(said(&client, "fails_with_question_mark", json!({ "text": "7" })).await, "7");
    assert_eq!(
        call(&client, "fails_after_content", json!({})).await,
        json!({ "content": [text("so far so good"), text("then not")], "isError": true })
    );
}

/// Output Schema: a failure has no `structuredContent`, which would have to conform to it.
#[tokio::test]
async fn a_failure_has_no_structured_content() {
    let client = tools();
    assert_eq!(failed(&client, "json_or_error", json!({ "fail": true })).await, "no weather");
}

/// Error Handling, Protocol Errors: an `mcp_runtime::Error`, however deep, is the JSON-RPC error.
#[tokio::test]
async fn a_protocol_error_inside_is_the_answer() {
    let client = tools();
    let params = |name: &str| json!({ "name": name, "arguments": {} });
    assert_eq!(
        error(&client, "tools/call", params("protocol_error")).await,
        json!({ "code": 1234, "message": "of my own", "data": { "why": "because" } })
    );
    assert_eq!(
        error(&client, "tools/call", params("boxed_protocol_error")).await,
        json!({ "code": -32602, "message": "boxed" })
    );
    assert_eq!(
        error(&client, "tools/call", params("wrapped_protocol_error")).await,
        json!({
            "code": -32021,
            "message": "Missing required client capability",
            "data": { "requiredCapabilities": { "sampling": {} } },
        })
    );
}

/// Error Handling: "Server errors" are protocol errors, and tell nothing of the inside.
#[tokio::test]
async fn what_the_author_got_wrong_is_an_internal_error() {
    let client = tools();
    let params = |name: &str| json!({ "name": name, "arguments": {} });
    assert_eq!(
        error(&client, "tools/call", params("unserializable")).await,
        json!({ "code": -32603, "message": "The tool's result could not be serialized" })
    );
    assert_eq!(
        error(&client, "tools/call", params("json_twice")).await,
        json!({ "code": -32603, "message": "The tool returned two structured results" })
    );
}

/// Error Handling: an unknown tool is `-32602`, with the name that was probably meant.
#[tokio::test]
async fn an_unknown_tool_is_invalid_params() {
    let client = tools();
    assert_eq!(
        error(&client, "tools/call", json!({ "name": "invalid_tool_name", "arguments": {} })).await,
        json!({ "code": -32602, "message": "Unknown tool: invalid_tool_name" })
    );
    assert_eq!(
        error(&client, "tools/call", json!({ "name": "json_strukt" })).await,
        json!({ "code": -32602, "message": "Unknown tool: json_strukt; did you mean `json_struct`?" })
    );
}

/// Error Handling: "Malformed requests (requests that fail to satisfy `CallToolRequest` schema)".
#[tokio::test]
async fn a_malformed_call_is_invalid_params() {
    let client = tools();
    for (params, message) in [
        (json!({}), "Invalid params: `params.name` is missing"),
        (json!({ "name": 1 }), "Invalid params: `params.name` must be a string, not a number"),
        (json!({ "name": null }), "Invalid params: `params.name` must be a string, not null"),
        (
            json!({ "name": "unit", "arguments": [] }),
            "Invalid params: `params.arguments` must be an object, not an array",
        ),
        (
            json!({ "name": "unit", "arguments": "{}" }),
            "Invalid params: `params.arguments` must be an object, not a string",
        ),
    ] {
        assert_eq!(error(&client, "tools/call", params).await, json!({ "code": -32602, "message": message }));
    }
}

/// DESIGN: "what has no code (timeout, overload) is an `isError` result for tools".
#[tokio::test]
async fn a_timeout_is_a_failure_of_the_tool() {
    let client = tools();
    for tool in ["never", "blocks"] {
        assert_eq!(
            failed(&client, tool, json!({})).await,
            format!("`{tool}` did not finish within 20ms and was cancelled")
        );
    }
}

/// basic/index, Statelessness: requests are independent, and run at the same time.
#[tokio::test]
async fn calls_run_at_the_same_time() {
    let client = tools();
    let slow = request("slow", "tools/call", json!({ "name": "never" }));
    let fast = request("fast", "tools/call", json!({ "name": "literal" }));
    let slow = exchange(&client, &slow);
    tokio::pin!(slow);
    let fast = tokio::select! {
        biased;
        _ = &mut slow => panic!("it waits for its timeout"),
        (_, fast) = exchange(&client, &fast) => fast,
    };
    assert_eq!(fast["id"], "fast");
    assert_eq!(slow.await.1["id"], "slow");
}

mod first_calls {
    use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
    use std::sync::{LazyLock, Mutex};
    use std::time::Duration;

    use mcp_runtime::prelude::*;

    type Ends = (SyncSender<()>, Mutex<Receiver<()>>);

    static OPENED: LazyLock<Ends> = LazyLock::new(|| {
        let (open, opened) = sync_channel(1);
        (open, Mutex::new(opened))
    });

    #[tool]
    fn waits_for_another() -> bool {
        OPENED.1.lock().expect("nobody panics").recv_timeout(Duration::from_secs(10)).is_ok()
    }

    #[allow(
        clippy::unused_async,
        reason = "it runs while the other one holds its thread of the blocking pool"
    )]
    #[tool]
    async fn is_the_other() {
        OPENED.0.try_send(()).expect("there is room");
    }
}

/// Nobody knows yet how long it takes, and it may never end.
#[tokio::test]
async fn the_first_call_of_a_synchronous_function_holds_nothing_up() {
    let client = mcp_tests::client(concat!(module_path!(), "::first_calls"));
    let (waited, ()) = tokio::join!(
        async { client.call("waits_for_another", serde_json::json!({})).await.expect("it is served").text() },
        async { drop(client.call("is_the_other", serde_json::json!({})).await.expect("it is served")) },
    );
    assert_eq!(waited, "true");
}
