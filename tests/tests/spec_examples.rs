//! The requests and notifications that the specification shows, method by method, and the shape of what it shows as
//! their answer.

use mcp_runtime::testing::Client;
use mcp_tests::{client, exchange};
use serde_json::{Value, json};

/// A server that can answer the examples' names and addresses.
mod entries {
    use mcp_runtime::prelude::*;
    use schemars::JsonSchema;
    use serde::Serialize;

    /// Get current weather information for a location
    #[tool(
        title = "Weather Information Provider",
        icon("https://example.com/weather-icon.png", mime = "image/png", sizes("48x48"))
    )]
    fn get_weather(
        /// City name or zip code
        location: &str,
    ) -> String {
        format!("Current weather in {location}:\nTemperature: 72°F\nConditions: Partly cloudy")
    }

    #[derive(Serialize, JsonSchema)]
    struct WeatherData {
        /// Temperature in celsius
        temperature: f64,
        /// Weather conditions description
        conditions: &'static str,
        /// Humidity percentage
        humidity: f64,
    }

    /// Get current weather data for a location
    #[tool(title = "Weather Data Retriever")]
    fn get_weather_data(
        /// City name or zip code
        location: &str,
    ) -> Json<WeatherData> {
        let conditions = if location.is_empty() { "Unknown" } else { "Partly cloudy" };
        Json(WeatherData { temperature: 22.5, conditions, humidity: 65.0 })
    }

    #[tool]
    fn book_flight(date: &str) -> Result<String, String> {
        Err(format!("Invalid departure date: must be in the future. Current date is {date}."))
    }

    /// Primary application entry point
    #[resource(
        "file:///project/src/main.rs",
        name = "main.rs",
        title = "Rust Software Application Main File",
        mime = "text/x-rust",
        icon("https://example.com/rust-file-icon.png", mime = "image/png", sizes("48x48"))
    )]
    fn main_rs() -> &'static str {
        "fn main() {\n    println!(\"Hello world!\");\n}"
    }

    /// Access files in the project directory
    #[resource(
        "file:///{path}",
        name = "Project Files",
        title = "📁 Project Files",
        mime = "application/octet-stream",
        icon("https://example.com/folder-icon.png", mime = "image/png", sizes("48x48"))
    )]
    fn project_files(#[arg(complete = paths)] path: &str) -> Option<Vec<u8>> {
        (path == "present.bin").then(|| vec![1, 2, 3])
    }

    fn paths(typed: &str) -> Completions {
        Completions::matching(typed, ["present.bin"])
    }

    /// Asks the LLM to analyze code quality and suggest improvements
    #[prompt(
        title = "Request Code Review",
        icon("https://example.com/review-icon.svg", mime = "image/svg+xml", sizes("any"))
    )]
    fn code_review(
        /// The code to review
        code: Option<&str>,
        #[arg(complete = languages)] language: Option<&str>,
        #[arg(complete = frameworks)] framework: Option<&str>,
    ) -> String {
        let language = language.unwrap_or("Python");
        format!("Please review this {language} code:\n{}{}", code.unwrap_or(""), framework.unwrap_or(""))
    }

    fn languages(typed: &str) -> Completions {
        Completions::matching(typed, ["python", "pytorch", "pyside", "rust"])
    }

    fn frameworks(request: &mcp_runtime::CompletionRequest<'_>) -> Completions {
        let known: &[&str] = match request.argument("language") {
            Some("python") => &["flask", "django"],
            _ => &[],
        };
        Completions::matching(request.value(), known.iter().copied())
    }

    #[tool]
    fn some_method(ctx: &Context) {
        ctx.progress(50.0, 100.0, "Reticulating splines...");
        ctx.log(
            LogLevel::Error,
            serde_json::json!({ "error": "Connection failed", "details": { "host": "localhost", "port": 5432 } }),
        );
    }
}

fn entries() -> Client {
    client("spec_examples::entries")
}

/// The `_meta` that the pages leave out for brevity.
fn with_meta(mut message: Value) -> Value {
    let own = message["params"]["_meta"].take();
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "ExampleClient", "version": "1.0.0" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    if let (Some(meta), Some(own)) = (meta.as_object_mut(), own.as_object()) {
        meta.extend(own.clone());
    }
    message["params"]["_meta"] = meta;
    message
}

/// The answer, without `_meta` (the pages show it with `server/discover` alone).
async fn answer(client: &Client, message: Value) -> Value {
    let (_, mut answer) = exchange(client, &with_meta(message)).await;
    if let Some(result) = answer.get_mut("result").and_then(Value::as_object_mut) {
        assert_eq!(
            result.shift_remove("_meta"),
            Some(json!({ "io.modelcontextprotocol/serverInfo": { "name": "tests", "version": "1.2.3" } }))
        );
    }
    answer
}

/// server/tools, Listing Tools. The page's cursor is a placeholder; here there is none.
#[tokio::test]
async fn listing_tools() {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
    let answer = answer(&entries(), message).await;
    assert_eq!(
        answer["result"]["tools"][1],
        json!({
            "name": "get_weather",
            "title": "Weather Information Provider",
            "description": "Get current weather information for a location",
            "inputSchema": {
                "type": "object",
                "properties": { "location": { "type": "string", "description": "City name or zip code" } },
                "required": ["location"],
            },
            "icons": [{
                "src": "https://example.com/weather-icon.png", "mimeType": "image/png", "sizes": ["48x48"],
            }],
        })
    );
    assert_eq!(answer["result"]["resultType"], "complete");
    assert_eq!(
        (&answer["result"]["ttlMs"], &answer["result"]["cacheScope"]),
        (&json!(60_000), &json!("public"))
    );
}

/// server/tools, Output Schema.
#[tokio::test]
async fn a_tool_with_an_output_schema() {
    let client = entries();
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
    assert_eq!(
        answer(&client, message).await["result"]["tools"][2],
        json!({
            "name": "get_weather_data",
            "title": "Weather Data Retriever",
            "description": "Get current weather data for a location",
            "inputSchema": {
                "type": "object",
                "properties": { "location": { "type": "string", "description": "City name or zip code" } },
                "required": ["location"],
            },
            "outputSchema": {
                "type": "object",
                "properties": {
                    "temperature": { "type": "number", "description": "Temperature in celsius" },
                    "conditions": { "type": "string", "description": "Weather conditions description" },
                    "humidity": { "type": "number", "description": "Humidity percentage" },
                },
                "required": ["temperature", "conditions", "humidity"],
            },
        })
    );
    let message = json!({
        "jsonrpc": "2.0", "id": 5, "method": "tools/call",
        "params": { "name": "get_weather_data", "arguments": { "location": "New York" } },
    });
    let data = json!({ "temperature": 22.5, "conditions": "Partly cloudy", "humidity": 65.0 });
    assert_eq!(
        answer(&client, message).await,
        json!({
            "jsonrpc": "2.0",
            "id": 5,
            "result": {
                "resultType": "complete",
                "content": [{ "type": "text", "text": data.to_string() }],
                "structuredContent": data,
            },
        })
    );
}

/// server/tools, Calling Tools.
#[tokio::test]
async fn calling_a_tool() {
    let message = json!({
        "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": { "name": "get_weather", "arguments": { "location": "New York" } },
    });
    assert_eq!(
        answer(&entries(), message).await,
        json!({
            "jsonrpc": "2.0",
            "id": 2,
            "result": {
                "resultType": "complete",
                "content": [{
                    "type": "text",
                    "text": "Current weather in New York:\nTemperature: 72°F\nConditions: Partly cloudy",
                }],
            },
        }),
        "`isError` is optional, and false where it is missing"
    );
}

/// server/tools, Error Handling: both kinds.
#[tokio::test]
async fn errors_of_tools() {
    let client = entries();
    let message = json!({
        "jsonrpc": "2.0", "id": 3, "method": "tools/call",
        "params": { "name": "invalid_tool_name", "arguments": {} },
    });
    assert_eq!(
        answer(&client, message).await,
        json!({
            "jsonrpc": "2.0", "id": 3,
            "error": { "code": -32602, "message": "Unknown tool: invalid_tool_name" },
        })
    );
    let message = json!({
        "jsonrpc": "2.0", "id": 4, "method": "tools/call",
        "params": { "name": "book_flight", "arguments": { "date": "08/08/2025" } },
    });
    assert_eq!(
        answer(&client, message).await,
        json!({
            "jsonrpc": "2.0",
            "id": 4,
            "result": {
                "resultType": "complete",
                "content": [{
                    "type": "text",
                    "text": "Invalid departure date: must be in the future. Current date is 08/08/2025.",
                }],
                "isError": true,
            },
        })
    );
}

/// server/resources, Listing Resources.
#[tokio::test]
async fn listing_resources() {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/list", "params": {} });
    assert_eq!(
        answer(&entries(), message).await,
        json!({
            "jsonrpc": "2.0",
            "id": 1,
            "result": {
                "resultType": "complete",
                "resources": [{
                    "uri": "file:///project/src/main.rs",
                    "name": "main.rs",
                    "title": "Rust Software Application Main File",
                    "description": "Primary application entry point",
                    "mimeType": "text/x-rust",
                    "icons": [{
                        "src": "https://example.com/rust-file-icon.png",
                        "mimeType": "image/png",
                        "sizes": ["48x48"],
                    }],
                }],
                "ttlMs": 60_000,
                "cacheScope": "public",
            },
        })
    );
}

/// server/resources, Reading Resources.
#[tokio::test]
async fn reading_a_resource() {
    let client = entries();
    let message = json!({
        "jsonrpc": "2.0", "id": 2, "method": "resources/read",
        "params": { "uri": "file:///project/src/main.rs" },
    });
    assert_eq!(
        answer(&client, message).await,
        json!({
            "jsonrpc": "2.0",
            "id": 2,
            "result": {
                "resultType": "complete",
                "contents": [{
                    "uri": "file:///project/src/main.rs",
                    "mimeType": "text/x-rust",
                    "text": "fn main() {\n    println!(\"Hello world!\");\n}",
                }],
                "ttlMs": 0,
                "cacheScope": "private",
            },
        })
    );
    let message = json!({
        "jsonrpc": "2.0", "id": 2, "method": "resources/read", "params": { "uri": "file:///present.bin" },
    });
    assert_eq!(
        answer(&client, message).await["result"]["contents"],
        json!([{ "uri": "file:///present.bin", "mimeType": "application/octet-stream", "blob": "AQID" }])
    );
}

/// server/resources, Resource Templates.
#[tokio::test]
async fn listing_resource_templates() {
    let message = json!({ "jsonrpc": "2.0", "id": 3, "method": "resources/templates/list", "params": {} });
    assert_eq!(
        answer(&entries(), message).await,
        json!({
            "jsonrpc": "2.0",
            "id": 3,
            "result": {
                "resultType": "complete",
                "resourceTemplates": [{
                    "uriTemplate": "file:///{path}",
                    "name": "Project Files",
                    "title": "📁 Project Files",
                    "description": "Access files in the project directory",
                    "mimeType": "application/octet-stream",
                    "icons": [{
                        "src": "https://example.com/folder-icon.png",
                        "mimeType": "image/png",
                        "sizes": ["48x48"],
                    }],
                }],
                "ttlMs": 60_000,
                "cacheScope": "public",
            },
        })
    );
}

/// server/resources, Error Handling.
#[tokio::test]
async fn a_resource_that_does_not_exist() {
    let message = json!({
        "jsonrpc": "2.0", "id": 5, "method": "resources/read", "params": { "uri": "file:///nonexistent.txt" },
    });
    assert_eq!(
        answer(&entries(), message).await,
        json!({
            "jsonrpc": "2.0",
            "id": 5,
            "error": {
                "code": -32602,
                "message": "Resource not found",
                "data": { "uri": "file:///nonexistent.txt" },
            },
        })
    );
}

/// server/prompts, Listing Prompts.
#[tokio::test]
async fn listing_prompts() {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "prompts/list", "params": {} });
    assert_eq!(
        answer(&entries(), message).await,
        json!({
            "jsonrpc": "2.0",
            "id": 1,
            "result": {
                "resultType": "complete",
                "prompts": [{
                    "name": "code_review",
                    "title": "Request Code Review",
                    "description": "Asks the LLM to analyze code quality and suggest improvements",
                    "arguments": [
                        { "name": "code", "description": "The code to review", "required": false },
                        { "name": "language", "required": false },
                        { "name": "framework", "required": false },
                    ],
                    "icons": [{
                        "src": "https://example.com/review-icon.svg",
                        "mimeType": "image/svg+xml",
                        "sizes": ["any"],
                    }],
                }],
                "ttlMs": 60_000,
                "cacheScope": "public",
            },
        })
    );
}

/// server/prompts, Getting a Prompt.
#[tokio::test]
async fn getting_a_prompt() {
    let message = json!({
        "jsonrpc": "2.0", "id": 2, "method": "prompts/get",
        "params": { "name": "code_review", "arguments": { "code": "def hello():\n    print('world')" } },
    });
    assert_eq!(
        answer(&entries(), message).await,
        json!({
            "jsonrpc": "2.0",
            "id": 2,
            "result": {
                "resultType": "complete",
                "description": "Asks the LLM to analyze code quality and suggest improvements",
                "messages": [{
                    "role": "user",
                    "content": {
                        "type": "text",
                        "text": "Please review this Python code:\ndef hello():\n    print('world')",
                    },
                }],
            },
        })
    );
}

/// server/utilities/completion, Requesting Completions: both requests.
#[tokio::test]
async fn requesting_completions() {
    let client = entries();
    let completion = |values: Value, total: u8| {
        json!({
            "jsonrpc": "2.0",
            "id": 1,
            "result": {
                "resultType": "complete",
                "completion": { "values": values, "total": total, "hasMore": false },
            },
        })
    };
    let message = json!({
        "jsonrpc": "2.0", "id": 1, "method": "completion/complete",
        "params": {
            "ref": { "type": "ref/prompt", "name": "code_review" },
            "argument": { "name": "language", "value": "py" },
        },
    });
    assert_eq!(answer(&client, message).await, completion(json!(["python", "pytorch", "pyside"]), 3));
    let message = json!({
        "jsonrpc": "2.0", "id": 1, "method": "completion/complete",
        "params": {
            "ref": { "type": "ref/prompt", "name": "code_review" },
            "argument": { "name": "framework", "value": "fla" },
            "context": { "arguments": { "language": "python" } },
        },
    });
    assert_eq!(answer(&client, message).await, completion(json!(["flask"]), 1));
    let message = json!({
        "jsonrpc": "2.0", "id": 1, "method": "completion/complete",
        "params": {
            "ref": { "type": "ref/resource", "uri": "file:///{path}" },
            "argument": { "name": "path", "value": "" },
        },
    });
    assert_eq!(answer(&client, message).await, completion(json!(["present.bin"]), 1));
}

/// server/utilities/pagination, Request Format: the page's cursors are placeholders, and no cursors of ours.
#[tokio::test]
async fn a_placeholder_is_no_cursor() {
    let client = entries();
    for (id, method, cursor) in [
        (json!("124"), "resources/list", "eyJwYWdlIjogMn0="),
        (json!(1), "tools/list", "optional-cursor-value"),
        (json!(3), "resources/templates/list", "optional-cursor-value"),
        (json!(1), "prompts/list", "optional-cursor-value"),
    ] {
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": { "cursor": cursor } });
        assert_eq!(
            answer(&client, message).await,
            json!({
                "jsonrpc": "2.0", "id": id,
                "error": { "code": -32602, "message": "Invalid cursor: start again without one" },
            })
        );
    }
}

/// basic/patterns/progress, Progress Flow, and server/utilities/logging, Log Message Notifications.
#[tokio::test]
async fn progress_and_log_messages() {
    let message = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {
            "name": "some_method",
            "_meta": { "progressToken": "abc123", "io.modelcontextprotocol/logLevel": "error" },
        },
    });
    let (notifications, _) = exchange(&entries(), &with_meta(message)).await;
    assert_eq!(
        notifications,
        [
            json!({
                "jsonrpc": "2.0",
                "method": "notifications/progress",
                "params": {
                    "progressToken": "abc123",
                    "progress": 50,
                    "total": 100,
                    "message": "Reticulating splines...",
                },
            }),
            json!({
                "jsonrpc": "2.0",
                "method": "notifications/message",
                "params": {
                    "level": "error",
                    "data": { "error": "Connection failed", "details": { "host": "localhost", "port": 5432 } },
                },
            }),
        ]
    );
}

/// basic/patterns/cancellation, Cancellation Flow: of a request that is unknown, which is ignored.
#[tokio::test]
async fn cancelling_an_unknown_request() {
    let message = json!({
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": { "requestId": "123", "reason": "User requested cancellation" },
    });
    assert_eq!(entries().send(message.to_string()).await, Vec::<Value>::new());
}

/// basic/versioning, Protocol Version Negotiation.
#[tokio::test]
async fn an_unsupported_version() {
    let message = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/list",
        "params": { "_meta": { "io.modelcontextprotocol/protocolVersion": "1900-01-01" } },
    });
    assert_eq!(
        answer(&entries(), message).await,
        json!({
            "jsonrpc": "2.0",
            "id": 1,
            "error": {
                "code": -32022,
                "message": "Unsupported protocol version",
                "data": { "supported": ["2026-07-28"], "requested": "1900-01-01" },
            },
        })
    );
}

/// basic/index, OpenTelemetry trace context: keys that the server need not know.
#[tokio::test]
async fn trace_context_is_no_obstacle() {
    let message = json!({
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {
            "name": "get_weather",
            "arguments": { "location": "New York" },
            "_meta": { "traceparent": "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01" },
        },
    });
    assert_eq!(answer(&entries(), message).await["result"]["resultType"], "complete");
}
