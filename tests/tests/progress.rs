//! basic/patterns/progress: how far a request is.

use std::sync::Arc;

use mcp_runtime::testing::Client;
use mcp_tests::{exchange, request, server};
use serde_json::{Value, json};

mod tools {
    use std::sync::Arc;

    use mcp_runtime::prelude::*;
    use tokio::sync::Notify;

    #[tool]
    fn steps(ctx: &Context) -> &'static str {
        ctx.progress(0.2, 1.0, "first");
        ctx.progress(0.6, Some(1.0), "");
        ctx.progress(1.0, None, String::from("last"));
        "done"
    }

    #[tool]
    fn back_and_forth(ctx: &Context) {
        for progress in [1.0, 3.0, 2.0, 3.0, f64::NAN, f64::NEG_INFINITY, 3.5, 0.0, 4.0] {
            ctx.progress(progress, 4.0, "");
        }
    }

    #[tool]
    fn burst(ctx: &Context) {
        for step in 1..=1000 {
            ctx.progress(f64::from(step), 1000.0, "step");
        }
    }

    #[tool]
    async fn burst_of_an_async_function(ctx: &Context) {
        for step in 1..=1000 {
            ctx.progress(f64::from(step), 1000.0, "step");
            tokio::task::yield_now().await;
        }
    }

    #[tool(blocking)]
    fn burst_on_the_pool(ctx: &Context) {
        for step in 1..=1000 {
            ctx.progress(f64::from(step), 1000.0, "step");
        }
    }

    /// Waits, after a burst, until the last of it has arrived.
    #[tool]
    async fn burst_then_wait(ctx: &Context, arrived: State<Arc<Notify>>) {
        for step in 1..=1000 {
            ctx.progress(f64::from(step), 1000.0, "step");
        }
        arrived.notified().await;
    }

    #[tool]
    async fn fails(ctx: &Context) -> Result<(), &'static str> {
        ctx.progress(1.0, None, "");
        tokio::task::yield_now().await;
        ctx.progress(2.0, None, "");
        Err("failed")
    }

    /// Reports from a task that outlives the call.
    #[tool]
    #[allow(clippy::unused_async, reason = "how an `async` function is served")]
    async fn outlived(ctx: Context, over: State<Arc<Notify>>) {
        ctx.progress(1.0, None, "in time");
        let over = Arc::clone(&over);
        tokio::spawn(async move {
            over.notified().await;
            ctx.progress(2.0, None, "too late");
            over.notify_one();
        });
    }

    #[resource("app://steps")]
    fn resource(ctx: &Context) -> String {
        ctx.progress(1.0, 2.0, "reading");
        "text".to_owned()
    }

    #[prompt]
    fn prompt(#[arg(complete = complete)] text: Option<String>, ctx: &Context) -> String {
        ctx.progress(1.0, 2.0, "writing");
        text.unwrap_or_default()
    }

    fn complete(_: &str, ctx: &Context) -> Vec<String> {
        ctx.progress(1.0, 2.0, "completing");
        Vec::new()
    }
}

fn tools() -> Client {
    Client::new(server("progress::tools").state(Arc::new(tokio::sync::Notify::new()))).expect("it starts")
}

/// The notifications of a call with this token.
async fn notifications(client: &Client, tool: &str, token: &Value) -> Vec<Value> {
    let message = request(1, "tools/call", json!({ "name": tool, "_meta": { "progressToken": token } }));
    exchange(client, &message).await.0
}

fn progresses(notifications: &[Value]) -> Vec<f64> {
    notifications.iter().filter_map(|notification| notification["params"]["progress"].as_f64()).collect()
}

fn strictly_increases(values: &[f64]) -> bool {
    values.is_sorted_by(|a, b| a < b)
}

/// Progress Flow: the token, the progress, and the total and message where they are given.
#[tokio::test]
async fn a_notification_carries_the_token_as_it_was() {
    let client = tools();
    for token in [json!("abc123"), json!(""), json!(0), json!(-5), json!("a \"quoted\" one")] {
        let notification = |mut params: Value| {
            params["progressToken"] = token.clone();
            json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params })
        };
        assert_eq!(
            notifications(&client, "steps", &token).await,
            [
                notification(json!({ "progress": 0.2, "total": 1, "message": "first" })),
                notification(json!({ "progress": 0.6, "total": 1 })),
                notification(json!({ "progress": 1, "message": "last" })),
            ]
        );
    }
}

/// Progress Flow: only "when a client wants to receive progress updates […] it includes a `progressToken`".
#[tokio::test]
async fn without_a_token_there_is_none() {
    let client = tools();
    let (notifications, answer) =
        exchange(&client, &request(1, "tools/call", json!({ "name": "steps" }))).await;
    assert_eq!(notifications, Vec::<Value>::new());
    assert_eq!(answer["result"]["content"][0]["text"], "done");
}

/// "The `progress` value MUST increase with each notification, even if the total is unknown."
#[tokio::test]
async fn it_strictly_increases() {
    let sent = notifications(&tools(), "back_and_forth", &json!(1)).await;
    assert_eq!(progresses(&sent), [1.0, 3.0, 3.5, 4.0]);
}

/// Implementation Notes: "Both parties SHOULD implement rate limiting to prevent flooding"; the last always arrives.
#[tokio::test]
async fn a_burst_is_thinned_out_and_its_last_arrives() {
    let client = tools();
    for tool in ["burst", "burst_of_an_async_function", "burst_on_the_pool"] {
        let sent = progresses(&notifications(&client, tool, &json!(1)).await);
        assert!(sent.len() < 1000, "{tool}: {} notifications", sent.len());
        assert!(strictly_increases(&sent), "{tool}: {sent:?}");
        assert_eq!(sent.last(), Some(&1000.0), "{tool}");
    }
}

/// The last of a burst arrives also while the call goes on.
#[tokio::test]
async fn the_last_of_a_burst_does_not_wait_for_the_end() {
    let arrived = Arc::new(tokio::sync::Notify::new());
    let client = Client::new(server("progress::tools").state(Arc::clone(&arrived))).expect("it starts");
    let mut sent = Vec::new();
    let call = client.call("burst_then_wait", json!({})).on_notification(|notification| {
        let progress = notification["params"]["progress"].as_f64().expect("a number");
        sent.push(progress);
        if progress >= 1000.0 {
            arrived.notify_one();
        }
    });
    assert_eq!(call.await.expect("it ends").text(), "");
    assert!(strictly_increases(&sent), "{sent:?}");
    assert_eq!(sent.last(), Some(&1000.0));
}

/// Behavior Requirements: of every request that an author's function works on.
#[tokio::test]
async fn resources_prompts_and_completions_have_progress_too() {
    let client = tools();
    for (method, params, message) in [
        ("resources/read", json!({ "uri": "app://steps" }), "reading"),
        ("prompts/get", json!({ "name": "prompt" }), "writing"),
        (
            "completion/complete",
            json!({
                "ref": { "type": "ref/prompt", "name": "prompt" },
                "argument": { "name": "text", "value": "" },
            }),
            "completing",
        ),
    ] {
        let mut params = params;
        params["_meta"] = json!({ "progressToken": "t" });
        let (notifications, answer) = exchange(&client, &request(1, method, params)).await;
        assert_eq!(
            notifications,
            [json!({
                "jsonrpc": "2.0", "method": "notifications/progress",
                "params": { "progressToken": "t", "progress": 1, "total": 2, "message": message },
            })],
            "{method}"
        );
        assert!(answer["result"].is_object(), "{method}");
    }
}

/// A failure does not take away what was said before it.
#[tokio::test]
async fn progress_of_a_failure_arrives() {
    assert_eq!(progresses(&notifications(&tools(), "fails", &json!(1)).await), [1.0, 2.0]);
}

/// Implementation Notes: "Progress notifications MUST stop after completion".
#[tokio::test]
async fn there_is_none_after_completion() {
    let over = Arc::new(tokio::sync::Notify::new());
    let client = Client::new(server("progress::tools").state(Arc::clone(&over))).expect("it starts");
    let sent = notifications(&client, "outlived", &json!(1)).await;
    assert_eq!(progresses(&sent), [1.0]);
    over.notify_one();
    over.notified().await;
    // Another request with the same token hears nothing of the first.
    let (notifications, _) =
        exchange(&client, &request(2, "tools/list", json!({ "_meta": { "progressToken": 1 } }))).await;
    assert_eq!(notifications, Vec::<Value>::new());
}

/// The token belongs to one request: two at once are told apart.
#[tokio::test]
async fn concurrent_requests_have_their_own_progress() {
    let client = tools();
    let (first, second) = (json!("one"), json!("two"));
    let (one, two) = tokio::join!(
        notifications(&client, "burst_of_an_async_function", &first),
        notifications(&client, "fails", &second),
    );
    assert!(one.iter().all(|notification| notification["params"]["progressToken"] == "one"));
    assert_eq!(two.len(), 2);
    assert!(two.iter().all(|notification| notification["params"]["progressToken"] == "two"));
}
