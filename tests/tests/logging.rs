//! server/utilities/logging: log messages to the client that asks for them.

use mcp_runtime::testing::Client;
use mcp_runtime::{LogLayer, LogLevel};
use mcp_tests::{NONE, client, error, exchange, request};
use serde_json::{Value, json};
use tracing_subscriber::layer::SubscriberExt as _;

mod tools {
    use mcp_runtime::prelude::*;
    use serde::{Serialize, Serializer};
    use serde_json::json;

    #[tool]
    fn every_level(ctx: &Context) {
        for level in [
            LogLevel::Debug,
            LogLevel::Info,
            LogLevel::Notice,
            LogLevel::Warning,
            LogLevel::Error,
            LogLevel::Critical,
            LogLevel::Alert,
            LogLevel::Emergency,
        ] {
            ctx.log(level, level);
        }
    }

    #[tool]
    async fn data(ctx: &Context) -> Vec<bool> {
        ctx.log(LogLevel::Error, json!({ "error": "Connection failed", "details": { "port": 5432 } }));
        tokio::task::yield_now().await;
        ctx.log(LogLevel::Error, 12);
        ctx.log(LogLevel::Error, ());
        vec![ctx.wants_log(LogLevel::Info), ctx.wants_log(LogLevel::Error)]
    }

    #[tool]
    async fn traces() {
        tracing::error!(target: "database", host = "localhost", port = 5432, up = false, "Connection failed");
        tokio::task::yield_now().await;
        tracing::warn!(target: "database", "only {}", "text");
        tracing::info!(target: "database", ratio = 0.5, id = ?Some(1));
        tracing::debug!(target: "database", "debug");
        tracing::trace!(target: "database", "trace");
    }

    #[tool(inline)]
    fn traces_at_once() {
        tracing::info!(target: "sync", "inline");
    }

    #[tool(blocking)]
    fn traces_on_the_pool() {
        tracing::info!(target: "pool", "blocking");
    }

    #[tool]
    async fn traces_elsewhere() {
        let _ = tokio::spawn(async { tracing::error!(target: "spawned", "of no call") }).await;
    }

    struct Unserializable;

    impl Serialize for Unserializable {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            tracing::info!(target: "serializer", "trying");
            Err(serde::ser::Error::custom("no"))
        }
    }

    #[tool(inline)]
    fn logs_what_cannot_be_serialized(ctx: &Context) {
        ctx.log(LogLevel::Error, Unserializable);
        ctx.log(LogLevel::Error, "after");
    }

    #[prompt]
    fn prompt(ctx: &Context) -> &'static str {
        ctx.log(LogLevel::Info, "prompt");
        "text"
    }

    #[resource("app://a")]
    fn resource(ctx: &Context) -> &'static str {
        ctx.log(LogLevel::Info, "resource");
        "text"
    }
}

fn tools() -> Client {
    client("logging::tools")
}

/// The parameters of the log messages that a request of this level gets.
async fn logged(client: &Client, method: &str, mut params: Value, level: &str) -> Vec<Value> {
    params["_meta"] = json!({ "io.modelcontextprotocol/logLevel": level });
    let (notifications, answer) = exchange(client, &request(1, method, params)).await;
    assert!(answer["result"].is_object(), "{answer}");
    let params = notifications.into_iter().map(|mut notification| {
        assert_eq!(notification["method"], "notifications/message");
        notification["params"].take()
    });
    params.collect()
}

async fn of_tool(client: &Client, tool: &str, level: &str) -> Vec<Value> {
    logged(client, "tools/call", json!({ "name": tool }), level).await
}

const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// Per-request log level: "notifications at or above the requested level".
#[tokio::test]
async fn messages_are_at_or_above_the_requested_level() {
    let client = tools();
    for (index, level) in LEVELS.iter().enumerate() {
        let expected: Vec<Value> =
            LEVELS[index..].iter().map(|level| json!({ "level": level, "data": level })).collect();
        assert_eq!(of_tool(&client, "every_level", level).await, expected, "{level}");
    }
}

/// "The server MUST NOT emit `notifications/message` for a request that does not include this field."
#[tokio::test]
async fn a_request_without_a_level_gets_none() {
    let client = tools();
    let subscriber = tracing_subscriber::registry().with(LogLayer);
    let _guard = tracing::subscriber::set_default(subscriber);
    for tool in ["every_level", "data", "traces", "traces_at_once", "traces_on_the_pool"] {
        let (notifications, answer) =
            exchange(&client, &request(1, "tools/call", json!({ "name": tool }))).await;
        assert_eq!(notifications, NONE, "{tool}");
        assert!(answer["result"].is_object(), "{tool}");
    }
}

/// Log Message Notifications: "arbitrary JSON-serializable data".
#[tokio::test]
async fn data_is_any_json() {
    assert_eq!(
        of_tool(&tools(), "data", "error").await,
        [
            json!({ "level": "error", "data": { "error": "Connection failed", "details": { "port": 5432 } } }),
            json!({ "level": "error", "data": 12 }),
            json!({ "level": "error", "data": null }),
        ]
    );
    let client = tools();
    let call = client.call("data", json!({})).log_level(LogLevel::Error);
    assert_eq!(call.await.expect("it answers").text(), "false\ntrue");
}

/// Per-request log level: on every request whose handler may log, not tools alone.
#[tokio::test]
async fn prompts_and_resources_log_too() {
    let client = tools();
    assert_eq!(
        logged(&client, "prompts/get", json!({ "name": "prompt" }), "info").await,
        [json!({ "level": "info", "data": "prompt" })]
    );
    assert_eq!(
        logged(&client, "resources/read", json!({ "uri": "app://a" }), "debug").await,
        [json!({ "level": "info", "data": "resource" })]
    );
}

/// Error Handling: "Invalid log level: `-32602` (Invalid params)".
#[tokio::test]
async fn an_invalid_level_is_invalid_params() {
    let client = tools();
    for level in ["verbose", "", "INFO", "warn", "trace"] {
        for (method, params) in [("tools/call", json!({ "name": "data" })), ("server/discover", json!({}))] {
            let mut params = params;
            params["_meta"] = json!({ "io.modelcontextprotocol/logLevel": level });
            assert_eq!(
                error(&client, method, params).await,
                json!({
                    "code": -32602,
                    "message": format!(
                        "Invalid log level: {level:?} is none of debug, info, notice, warning, error, critical, \
                         alert, emergency"
                    ),
                })
            );
        }
    }
}

/// `tracing` events of a call arrive through [`LogLayer`], with their target as `logger` and their fields as `data`.
#[tokio::test]
async fn events_of_a_call_arrive() {
    let client = tools();
    let subscriber = tracing_subscriber::registry().with(LogLayer);
    let _guard = tracing::subscriber::set_default(subscriber);
    let all = [
        json!({
            "level": "error", "logger": "database",
            "data": { "message": "Connection failed", "host": "localhost", "port": 5432, "up": false },
        }),
        json!({ "level": "warning", "logger": "database", "data": "only text" }),
        json!({ "level": "info", "logger": "database", "data": { "ratio": 0.5, "id": "Some(1)" } }),
        json!({ "level": "debug", "logger": "database", "data": "debug" }),
        json!({ "level": "debug", "logger": "database", "data": "trace" }),
    ];
    assert_eq!(of_tool(&client, "traces", "debug").await, all);
    assert_eq!(of_tool(&client, "traces", "info").await, all[..3]);
    assert_eq!(of_tool(&client, "traces", "error").await, all[..1]);
    assert_eq!(of_tool(&client, "traces", "critical").await, NONE);
    assert_eq!(
        of_tool(&client, "traces_at_once", "info").await,
        [json!({ "level": "info", "logger": "sync", "data": "inline" })]
    );
}

/// `notifications/message` is request-scoped: an event of no call goes nowhere, and one call's not to another.
#[tokio::test]
async fn events_stay_with_their_call() {
    let client = tools();
    let subscriber = tracing_subscriber::registry().with(LogLayer);
    let _guard = tracing::subscriber::set_default(subscriber);
    tracing::error!("outside of any call");
    assert_eq!(of_tool(&client, "traces_elsewhere", "debug").await, NONE);
    let (traces, data) = tokio::join!(of_tool(&client, "traces", "debug"), of_tool(&client, "data", "debug"));
    assert_eq!((traces.len(), data.len()), (5, 3));
}

/// What cannot be serialized is left out, whatever the author's `Serialize` and the subscriber do meanwhile.
#[tokio::test]
async fn what_cannot_be_serialized_is_left_out() {
    let client = tools();
    let subscriber = tracing_subscriber::registry().with(LogLayer);
    let _guard = tracing::subscriber::set_default(subscriber);
    let sent = of_tool(&client, "logs_what_cannot_be_serialized", "info").await;
    let data: Vec<&Value> = sent.iter().map(|params| &params["data"]).collect();
    assert_eq!(data, ["trying", "a log message could not be serialized: no", "after"]);
}
