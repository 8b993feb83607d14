//! basic/patterns/cancellation: what a dropped request stops.

use std::sync::Arc;
use std::task::{Context as Task, Poll, Waker};

use mcp_runtime::testing::Client;
use mcp_tests::server;
use serde_json::json;
use tools::Events;

mod tools {
    use std::sync::Mutex;

    use mcp_runtime::prelude::*;
    use tokio::sync::Notify;

    /// What happened, and a bell for each.
    #[derive(Default)]
    pub(crate) struct Events {
        happened: Mutex<Vec<&'static str>>,
        bell: Notify,
    }

    impl Events {
        pub(crate) fn note(&self, event: &'static str) {
            self.happened.lock().expect("no panic").push(event);
            self.bell.notify_one();
        }

        pub(crate) fn all(&self) -> Vec<&'static str> {
            self.happened.lock().expect("no panic").clone()
        }

        pub(crate) async fn wait_for(&self, event: &str) {
            while !self.all().contains(&event) {
                self.bell.notified().await;
            }
        }
    }

    struct OnDrop(State<std::sync::Arc<Events>>, &'static str);

    impl Drop for OnDrop {
        fn drop(&mut self) {
            self.0.note(self.1);
        }
    }

    #[tool]
    async fn waits(events: State<std::sync::Arc<Events>>) {
        let _on_drop = OnDrop(events.clone(), "dropped");
        events.note("started");
        std::future::pending::<()>().await;
        events.note("never");
    }

    #[tool]
    async fn spawns(ctx: Context, events: State<std::sync::Arc<Events>>) {
        let other = events.clone();
        tokio::spawn(async move {
            ctx.cancelled().await;
            other.note(if ctx.is_cancelled() { "cancelled" } else { "not cancelled" });
        });
        events.note("started");
        std::future::pending::<()>().await;
    }

    /// Work that goes on after its call was answered is not cancelled.
    #[tool]
    fn returns(ctx: Context, events: State<std::sync::Arc<Events>>) -> bool {
        let events = events.clone();
        let kept = ctx.clone();
        tokio::spawn(async move {
            tokio::select! {
                biased;
                () = kept.cancelled() => events.note("cancelled"),
                () = std::future::ready(()) => events.note("not cancelled"),
            }
        });
        ctx.is_cancelled()
    }

    #[tool(blocking)]
    fn blocks(ctx: &Context, events: State<std::sync::Arc<Events>>) {
        events.note("started");
        while !ctx.is_cancelled() {
            std::thread::yield_now();
        }
        events.note("cancelled");
    }

    #[tool(timeout = "20ms")]
    async fn times_out(ctx: Context, events: State<std::sync::Arc<Events>>) {
        let _on_drop = OnDrop(events.clone(), "dropped");
        let other = events.clone();
        tokio::spawn(async move {
            ctx.cancelled().await;
            other.note("cancelled");
        });
        std::future::pending::<()>().await;
    }

    #[prompt]
    async fn prompt(
        #[arg(complete = complete)] text: Option<String>,
        events: State<std::sync::Arc<Events>>,
    ) -> String {
        let _on_drop = OnDrop(events.clone(), "dropped");
        events.note("started");
        std::future::pending::<()>().await;
        text.unwrap_or_default()
    }

    async fn complete(_: &str, ctx: &Context) -> Vec<String> {
        let events = ctx.state::<std::sync::Arc<Events>>().expect("registered").clone();
        let _on_drop = OnDrop(events.clone().into(), "dropped");
        events.note("started");
        std::future::pending().await
    }

    #[resource("rows://{id}", list = list)]
    async fn row(id: u8, events: State<std::sync::Arc<Events>>) -> String {
        let _on_drop = OnDrop(events.clone(), "dropped");
        events.note("started");
        std::future::pending::<()>().await;
        id.to_string()
    }

    async fn list(ctx: &Context) -> Vec<String> {
        let events = ctx.state::<std::sync::Arc<Events>>().expect("registered").clone();
        let _on_drop = OnDrop(events.clone().into(), "dropped");
        events.note("started");
        std::future::pending().await
    }

    #[tool]
    async fn panics_when_dropped(events: State<std::sync::Arc<Events>>) {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                panic!("in a drop");
            }
        }
        let _bomb = Bomb;
        events.note("started");
        std::future::pending::<()>().await;
    }

    #[prompt]
    fn completed(#[arg(complete = panic_when_dropped)] text: String) -> String {
        text
    }

    async fn panic_when_dropped(_: &str, ctx: &Context) -> Vec<String> {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                panic!("in a drop");
            }
        }
        let _bomb = Bomb;
        ctx.state::<std::sync::Arc<Events>>().expect("registered").note("started");
        std::future::pending().await
    }

    #[tool(inline)]
    fn alive() -> bool {
        true
    }
}

fn tools() -> (Client, Arc<Events>) {
    let events = Arc::new(Events::default());
    let client = Client::new(server("cancellation::tools").state(Arc::clone(&events))).expect("it starts");
    (client, events)
}

/// Sends a request, waits until its handler has started, and gives it up.
async fn give_up(client: &Client, events: &Events, method: &str, params: serde_json::Value) {
    let mut request = client.request(method, params).into_future();
    tokio::select! {
        biased;
        answer = &mut request => panic!("{answer:?}"),
        () = events.wait_for("started") => {}
    }
}

/// "Stop processing the cancelled request": the handler's future is dropped.
#[tokio::test]
async fn the_handler_is_dropped() {
    for (method, params) in [
        ("tools/call", json!({ "name": "waits" })),
        ("prompts/get", json!({ "name": "prompt" })),
        ("resources/read", json!({ "uri": "rows://1" })),
        ("resources/list", json!({})),
        (
            "completion/complete",
            json!({
                "ref": { "type": "ref/prompt", "name": "prompt" },
                "argument": { "name": "text", "value": "" },
            }),
        ),
    ] {
        let (client, events) = tools();
        give_up(&client, &events, method, params).await;
        assert_eq!(events.all(), ["started", "dropped"], "{method}");
    }
}

/// "Free associated resources": work that the handler spawned is told.
#[tokio::test]
async fn spawned_work_is_told() {
    let (client, events) = tools();
    give_up(&client, &events, "tools/call", json!({ "name": "spawns" })).await;
    events.wait_for("cancelled").await;
    assert_eq!(events.all(), ["started", "cancelled"]);
}

/// A synchronous function cannot be dropped; it sees that it is cancelled.
#[tokio::test]
async fn a_function_on_the_pool_is_told() {
    let (client, events) = tools();
    give_up(&client, &events, "tools/call", json!({ "name": "blocks" })).await;
    events.wait_for("cancelled").await;
    assert_eq!(events.all(), ["started", "cancelled"]);
}

/// A call that was answered was not cancelled.
#[tokio::test]
async fn an_answered_call_is_not_cancelled() {
    let (client, events) = tools();
    assert_eq!(client.call("returns", json!({})).await.expect("it answers").text(), "false");
    events.wait_for("not cancelled").await;
    assert_eq!(events.all(), ["not cancelled"]);
}

/// Timeouts: a call that takes too long is cancelled like any other.
#[tokio::test]
async fn a_timeout_cancels() {
    let (client, events) = tools();
    let result = client.call("times_out", json!({})).await.expect("a failure of the tool");
    assert!(result.is_error);
    assert_eq!(result.text(), "`times_out` did not finish within 20ms and was cancelled");
    events.wait_for("cancelled").await;
    let mut all = events.all();
    all.sort_unstable();
    assert_eq!(all, ["cancelled", "dropped"]);
}

/// Timing Considerations: giving up a request that was never begun, or is answered already, is harmless.
#[tokio::test]
async fn giving_up_early_or_late_is_harmless() {
    let (client, events) = tools();
    drop(client.call("waits", json!({})));
    drop(client.call("waits", json!({})).into_future());
    assert_eq!(events.all(), [""; 0]);
    let mut done = client.call("alive", json!({})).into_future();
    let Poll::Ready(Ok(result)) = done.as_mut().poll(&mut Task::from_waker(Waker::noop())) else {
        panic!("it waits for nothing")
    };
    assert_eq!(result.text(), "true");
    drop(done);
    assert_eq!(client.call("alive", json!({})).await.expect("it answers").text(), "true");
}

/// DESIGN: a panic is caught, also that of a handler which is dropped.
#[tokio::test]
async fn a_panic_while_being_dropped_is_caught() {
    let (client, events) = tools();
    give_up(&client, &events, "tools/call", json!({ "name": "panics_when_dropped" })).await;
    assert_eq!(client.call("alive", json!({})).await.expect("it answers").text(), "true");
    let (client, events) = tools();
    let params = json!({
        "ref": { "type": "ref/prompt", "name": "completed" },
        "argument": { "name": "text", "value": "" },
    });
    give_up(&client, &events, "completion/complete", params).await;
}
