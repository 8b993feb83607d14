//! basic/patterns/cancellation: calls that go on when their client is gone, because the handler said so.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use mcp_runtime::Server;
use mcp_runtime::testing::Client;
use mcp_tests::{request, server};
use serde_json::{Value, json};
use tools::Events;

mod http;
mod stdio;

mod tools {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use mcp_runtime::prelude::*;
    use tokio::sync::Notify;

    /// What happened, with a bell for it, and what the calls wait for.
    #[derive(Default)]
    pub(crate) struct Events {
        happened: Mutex<Vec<&'static str>>,
        bell: Notify,
        pub(crate) release: Notify,
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
            let happens = async {
                while !self.all().contains(&event) {
                    self.bell.notified().await;
                }
            };
            tokio::time::timeout(Duration::from_secs(120), happens).await.expect("it happens in time");
        }
    }

    struct OnDrop(Arc<Events>);

    impl Drop for OnDrop {
        fn drop(&mut self) {
            self.0.note("dropped");
        }
    }

    async fn work(events: &Arc<Events>) {
        let _on_drop = OnDrop(Arc::clone(events));
        events.note("started");
        events.release.notified().await;
        events.note("done");
    }

    #[tool(timeout = "60s")]
    async fn detached(ctx: &Context, events: State<Arc<Events>>) -> &'static str {
        ctx.detach();
        work(&events).await;
        if ctx.is_cancelled() { "cancelled" } else { "done" }
    }

    #[tool]
    async fn attended(events: State<Arc<Events>>) {
        work(&events).await;
    }

    #[tool]
    async fn speaks(ctx: &Context, events: State<Arc<Events>>) {
        ctx.detach();
        ctx.progress(1.0, None, "");
        work(&events).await;
        ctx.progress(2.0, None, "");
    }

    #[tool(blocking)]
    fn on_the_pool(ctx: &Context, events: State<Arc<Events>>) {
        ctx.detach();
        events.note("started");
        std::thread::sleep(Duration::from_millis(50));
        events.note(if ctx.is_cancelled() { "cancelled" } else { "done" });
    }

    #[tool]
    async fn asks(ctx: &Context, events: State<Arc<Events>>) -> Result<()> {
        ctx.detach();
        work(&events).await;
        #[allow(deprecated, reason = "it is the shortest question")]
        let roots = ctx.roots().await;
        events.note(if roots.is_err() { "refused" } else { "answered" });
        Ok(())
    }

    #[tool(inline)]
    fn alive() {}
}

fn with_events() -> (Server, Arc<Events>) {
    let events = Arc::new(Events::default());
    (server("detaching::tools").state(Arc::clone(&events)), events)
}

/// Waits until the handler has started, and gives the request up.
async fn give_up<T>(events: &Events, request: impl Future<Output = T>) {
    tokio::select! {
        biased;
        _ = request => panic!("it was answered"),
        () = events.wait_for("started") => {}
    }
}

fn call(tool: &str) -> Value {
    request(1, "tools/call", json!({ "name": tool, "_meta": { "progressToken": "t" } }))
}

#[tokio::test]
async fn only_what_was_detached_goes_on() {
    let (server, events) = with_events();
    let client = Client::new(server).expect("it starts");
    give_up(&events, client.call("attended", json!({})).into_future()).await;
    assert_eq!(events.all(), ["started", "dropped"]);

    let (server, events) = with_events();
    let client = Client::new(server).expect("it starts");
    give_up(&events, client.call("detached", json!({})).into_future()).await;
    events.release.notify_one();
    events.wait_for("dropped").await;
    assert_eq!(events.all(), ["started", "done", "dropped"]);
}

/// A client that stays is answered as ever.
#[tokio::test]
async fn a_call_whose_client_stays_is_answered() {
    let (server, events) = with_events();
    let client = Client::new(server).expect("it starts");
    events.release.notify_one();
    assert_eq!(client.call("detached", json!({})).await.expect("an answer").text(), "done");
}

#[tokio::test]
async fn a_function_on_the_pool_is_not_told() {
    let (server, events) = with_events();
    let client = Client::new(server).expect("it starts");
    give_up(&events, client.call("on_the_pool", json!({})).into_future()).await;
    events.wait_for("done").await;
}

#[tokio::test(start_paused = true)]
async fn its_timeout_bounds_it() {
    let (server, events) = with_events();
    let client = Client::new(server).expect("it starts");
    let started = tokio::time::Instant::now();
    give_up(&events, client.call("detached", json!({})).into_future()).await;
    events.wait_for("dropped").await;
    assert_eq!(events.all(), ["started", "dropped"]);
    assert_eq!(started.elapsed(), Duration::from_secs(60));
}

/// The next round would be begun by a client that is gone.
#[tokio::test]
async fn a_question_ends_it() {
    let (server, events) = with_events();
    let client = Client::new(server).expect("it starts").capabilities(json!({ "roots": {} }));
    give_up(&events, client.call("asks", json!({})).into_future()).await;
    events.release.notify_one();
    events.wait_for("dropped").await;
    assert_eq!(events.all(), ["started", "done", "dropped"]);
}

fn initialize(capabilities: &Value) -> Value {
    let client = json!({ "name": "ExampleClient", "version": "1.0.0" });
    let params =
        json!({ "protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": client });
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })
}

fn legacy_call(tool: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool } })
}
