//! basic/patterns/progress: signs of life of a call that says nothing, on every transport and in both eras.

use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt as _, Full};
use mcp_runtime::testing::Client;
use mcp_runtime::{Context, DynamicTool};
use mcp_tests::{NONE, exchange, request, server};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tower::ServiceExt as _;

mod tools {
    use std::time::Duration;

    use mcp_runtime::prelude::*;
    use tokio::time::sleep;

    #[tool(heartbeat = "15s")]
    async fn silent() -> &'static str {
        sleep(Duration::from_secs(50)).await;
        "done"
    }

    /// Says something at 10 and at 30 seconds, and ends at 50.
    #[tool(heartbeat = "15s")]
    async fn speaks(ctx: &Context) {
        sleep(Duration::from_secs(10)).await;
        ctx.progress(0.0, 2.0, "first");
        sleep(Duration::from_secs(20)).await;
        ctx.progress(1.0, 2.0, "second");
        sleep(Duration::from_secs(20)).await;
    }

    /// A log message is a sign of life as well.
    #[tool(heartbeat = "15s")]
    async fn logs(ctx: &Context) {
        for _ in 0..4 {
            sleep(Duration::from_secs(10)).await;
            ctx.log(LogLevel::Info, "still here");
        }
    }

    #[tool(heartbeat = "20ms")]
    fn on_the_pool() -> &'static str {
        std::thread::sleep(Duration::from_millis(150));
        "done"
    }

    #[tool(heartbeat = "15s", timeout = "40s")]
    async fn endless() {
        std::future::pending::<()>().await;
    }

    #[tool]
    async fn without() {
        sleep(Duration::from_secs(50)).await;
    }

    #[resource("app://slow", heartbeat = "15s")]
    async fn resource() -> String {
        sleep(Duration::from_secs(20)).await;
        "text".to_owned()
    }

    #[prompt(heartbeat = "15s")]
    async fn prompt() -> String {
        sleep(Duration::from_secs(20)).await;
        "text".to_owned()
    }
}

fn tools() -> Client {
    Client::new(server("heartbeat::tools")).expect("it starts")
}

fn called(tool: &str) -> Value {
    let meta = json!({ "progressToken": "t", "io.modelcontextprotocol/logLevel": "info" });
    request(1, "tools/call", json!({ "name": tool, "_meta": meta }))
}

/// The `params` of the notifications of a call with a token.
async fn params(client: &Client, request: &Value) -> Vec<Value> {
    let (notifications, answer) = exchange(client, request).await;
    assert!(answer["result"].is_object(), "{answer}");
    notifications.into_iter().map(|mut notification| notification["params"].take()).collect()
}

/// "The `progress` value MUST increase with each notification, even if the total is unknown."
#[tokio::test(start_paused = true)]
async fn a_silent_call_shows_that_it_goes_on() {
    assert_eq!(
        params(&tools(), &called("silent")).await,
        [
            json!({ "progressToken": "t", "progress": 0 }),
            json!({ "progressToken": "t", "progress": 1e-9 }),
            json!({ "progressToken": "t", "progress": 2e-9 }),
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn what_the_author_says_is_repeated_and_never_disturbed() {
    let said = |progress: f64, message: &str| json!({ "progressToken": "t", "progress": progress, "total": 2, "message": message });
    let sent = params(&tools(), &called("speaks")).await;
    let expected = [
        json!({ "progressToken": "t", "progress": 0, "total": 2, "message": "first" }),
        said(1e-9, "first"),
        json!({ "progressToken": "t", "progress": 1, "total": 2, "message": "second" }),
        said(1.000_000_001, "second"),
    ];
    assert_eq!(sent, expected);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_speaks_has_none() {
    let sent = params(&tools(), &called("logs")).await;
    assert_eq!(sent.len(), 4);
    assert!(sent.iter().all(|params| params["data"] == "still here"), "{sent:?}");
}

/// Progress Flow: only with a `progressToken`, and only where the author asked for it.
#[tokio::test(start_paused = true)]
async fn without_a_token_or_the_key_there_is_none() {
    let client = tools();
    let bare = request(1, "tools/call", json!({ "name": "silent" }));
    assert_eq!(params(&client, &bare).await, NONE);
    assert_eq!(params(&client, &called("without")).await, NONE);
}

#[tokio::test(start_paused = true)]
async fn a_timeout_ends_it() {
    let started = tokio::time::Instant::now();
    assert_eq!(params(&tools(), &called("endless")).await.len(), 2);
    assert_eq!(started.elapsed(), Duration::from_secs(40));
}

#[tokio::test]
async fn a_function_on_the_pool_has_one_too() {
    let client = tools();
    // The first call is the one that would be learned from.
    for _ in 0..2 {
        let sent = params(&client, &called("on_the_pool")).await;
        let values: Vec<f64> = sent.iter().filter_map(|params| params["progress"].as_f64()).collect();
        assert!(!values.is_empty() && values.is_sorted_by(|a, b| a < b), "{values:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn resources_and_prompts_have_one_too() {
    let client = tools();
    let meta = json!({ "progressToken": "t" });
    for (method, of) in [
        ("resources/read", json!({ "uri": "app://slow", "_meta": meta })),
        ("prompts/get", json!({ "name": "prompt", "_meta": meta })),
    ] {
        assert_eq!(params(&client, &request(1, method, of)).await.len(), 1, "{method}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_is_added_has_one_too() {
    let server = server("heartbeat::tools");
    let handle = server.handle();
    let slow = |_: Context| async { tokio::time::sleep(Duration::from_secs(20)).await };
    handle.add_tool(DynamicTool::new("slow", slow).heartbeat(Duration::from_secs(15))).expect("it is added");
    let zero = DynamicTool::new("zero", slow).heartbeat(Duration::ZERO);
    let late =
        DynamicTool::new("late", slow).heartbeat(Duration::from_secs(2)).timeout(Duration::from_secs(1));
    for (tool, fault) in [
        (zero, "has a heartbeat of no time: give `heartbeat` a longer one, or leave it out"),
        (late, "has a heartbeat of 2s, and no call lasts until the first one, for its timeout is 1s"),
    ] {
        let error = handle.add_tool(tool).expect_err("a fault").to_string();
        assert!(error.contains(fault), "{error}");
    }
    let client = Client::new(server).expect("it starts");
    assert_eq!(params(&client, &called("slow")).await.len(), 1);
}

/// The progress values of the messages, the last of which is the answer.
fn progresses(messages: &[Value]) -> Vec<f64> {
    let (answer, notifications) = messages.split_last().expect("there is an answer");
    assert_eq!(answer["result"]["content"][0]["text"], "done", "{answer}");
    notifications.iter().map(|message| message["params"]["progress"].as_f64().expect("progress")).collect()
}

const THREE: [f64; 3] = [0.0, 1e-9, 2e-9];

/// Sends lines, and reads until an answer to the request 1.
async fn over_stdio(lines: &[Value]) -> Vec<Value> {
    let (client, streams) = tokio::io::duplex(64 * 1024);
    let (reader, writer) = tokio::io::split(streams);
    let serving = tokio::spawn(server("heartbeat::tools").serve_io(reader, writer));
    let (output, mut input) = tokio::io::split(client);
    for line in lines {
        input.write_all(format!("{line}\n").as_bytes()).await.expect("the server reads");
    }
    let (mut output, mut messages) = (BufReader::new(output).lines(), Vec::new());
    loop {
        let line = output.next_line().await.expect("whole lines").expect("an answer");
        let message: Value = serde_json::from_str(&line).expect("JSON");
        let is_answer = message["id"] == 1;
        if is_answer || message.get("id").is_none() {
            messages.push(message);
        }
        if is_answer {
            serving.abort();
            return messages;
        }
    }
}

fn initialize(revision: &str) -> Value {
    let client = json!({ "name": "ExampleClient", "version": "1.0.0" });
    let params = json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": client });
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })
}

fn legacy_call() -> Value {
    let params = json!({ "name": "silent", "_meta": { "progressToken": "t" } });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
}

#[tokio::test(start_paused = true)]
async fn over_stdio_it_is_a_line() {
    assert_eq!(progresses(&over_stdio(&[called("silent")]).await), THREE);
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let messages = over_stdio(&[initialize(revision), legacy_call()]).await;
        assert_eq!(progresses(&messages), THREE, "{revision}");
    }
}

async fn post(
    service: &mcp_runtime::HttpService,
    body: &Value,
    headers: &[(&str, &str)],
) -> (http::HeaderMap, Vec<Value>) {
    let mut request = Request::post("http://localhost/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Full::new(Bytes::from(body.to_string()))).expect("a request");
    let response = service.clone().oneshot(request).await.expect("an answer");
    let headers = response.headers().clone();
    let bytes = response.into_body().collect().await.expect("a body").to_bytes();
    let text = std::str::from_utf8(&bytes).expect("text");
    let data = text.lines().filter_map(|line| line.strip_prefix("data: ")).filter(|data| !data.is_empty());
    (headers, data.map(|data| serde_json::from_str(data).expect("JSON")).collect())
}

/// Receiving Messages: the first sign of life makes the answer a stream of events, or comes on one.
#[tokio::test(start_paused = true)]
async fn over_http_it_is_an_event() {
    let service = server("heartbeat::tools").into_service().expect("it starts");
    let modern =
        [("mcp-protocol-version", mcp_tests::VERSION), ("mcp-method", "tools/call"), ("mcp-name", "silent")];
    let (headers, messages) = post(&service, &called("silent"), &modern).await;
    assert_eq!(headers["content-type"], "text/event-stream");
    assert_eq!(progresses(&messages), THREE);

    let (headers, _) = post(&service, &initialize("2025-11-25"), &[]).await;
    let session = headers["mcp-session-id"].to_str().expect("text").to_owned();
    let in_session = [("mcp-session-id", session.as_str()), ("mcp-protocol-version", "2025-11-25")];
    let (_, messages) = post(&service, &legacy_call(), &in_session).await;
    assert_eq!(progresses(&messages), THREE);
}
