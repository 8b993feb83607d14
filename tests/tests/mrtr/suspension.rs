//! Where and when calls are suspended.

use std::sync::Arc;

use mcp_runtime::testing::Client;
use mcp_tests::logs::Logs;
use mcp_tests::rounds::{Rounds, accept, asked, ended, failed, keys};
use mcp_tests::{exchange, request, server};
use serde_json::{Value, json};
use tools::Events;

mod tools {
    use std::future::Future;
    use std::pin::pin;
    use std::sync::Mutex;
    use std::task::{Context as Task, Poll, Waker};

    use mcp_runtime::InputRequired;
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

    type Shared = State<std::sync::Arc<Events>>;

    struct OnDrop(Shared, &'static str);

    impl Drop for OnDrop {
        fn drop(&mut self) {
            self.0.note(self.1);
        }
    }

    #[derive(Elicit)]
    struct Sure {
        sure: bool,
    }

    async fn sure(ctx: &Context) -> Result<String> {
        let sure = ctx.elicit::<Sure>("Sure?").await?.accepted().is_some_and(|answer| answer.sure);
        Ok(format!("sure: {sure}"))
    }

    #[prompt]
    async fn prompt(#[arg(complete = complete)] text: Option<String>, ctx: &Context) -> Result<String> {
        let _ = text;
        sure(ctx).await
    }

    #[resource("fixed://it")]
    async fn fixed(ctx: &Context) -> Result<String> {
        sure(ctx).await
    }

    #[resource("rows://{id}", list = list)]
    async fn row(#[arg(complete = complete_by_hand)] id: String, ctx: &Context) -> Result<String> {
        let _ = id;
        sure(ctx).await
    }

    async fn complete(_: &str, ctx: &Context) -> Vec<String> {
        vec![sure(ctx).await.unwrap_or_default()]
    }

    async fn complete_by_hand(_: &str, ctx: &Context) -> Result<Vec<String>> {
        let _ = ctx;
        Err(InputRequired::new().elicit::<Sure>("sure", "Sure?").into())
    }

    async fn list(ctx: &Context) -> Result<Vec<String>> {
        Ok(vec![sure(ctx).await?])
    }

    #[tool]
    async fn drops(events: Shared, ctx: &Context) -> Result<String> {
        let _on_drop = OnDrop(events.clone(), "dropped");
        sure(ctx).await
    }

    #[tool]
    async fn progress(events: Shared, ctx: Context) -> Result<String> {
        let (other, shared) = (ctx.clone(), events.clone());
        ctx.progress(1.0, 2.0, "before");
        tokio::spawn(async move {
            other.cancelled().await;
            other.progress(2.0, 2.0, "after");
            other.log(mcp_runtime::LogLevel::Error, "after");
            shared.note("ended");
        });
        sure(&ctx).await
    }

    #[tool]
    async fn panics_when_dropped(ctx: &Context) -> Result<String> {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                panic!("in drop");
            }
        }
        let bomb = Bomb;
        let said = sure(ctx).await;
        std::mem::forget(bomb);
        said
    }

    #[tool(timeout = "20ms")]
    async fn never_ends(ctx: &Context) -> Result<String> {
        let slow = async {
            let body = || async {
                std::future::pending::<()>().await;
                Ok::<_, String>(1)
            };
            ctx.once("x", body).await
        };
        let (_, said) = tokio::try_join!(slow, sure(ctx))?;
        Ok(said)
    }

    #[tool]
    async fn waits_in_once(events: Shared, ctx: &Context) -> Result<String> {
        let _on_drop = OnDrop(events.clone(), "dropped");
        let body = || async {
            events.note("started");
            std::future::pending::<()>().await;
            Ok::<_, String>(1)
        };
        let (_, said) = tokio::try_join!(ctx.once("x", body), sure(ctx))?;
        Ok(said)
    }

    /// A request that is no longer awaited is not sent.
    #[tool]
    async fn gives_up(ctx: &Context) -> Result<String> {
        tokio::select! {
            biased;
            () = std::future::ready(()) => {}
            said = sure(ctx) => return said,
        }
        {
            let mut asked = pin!(ctx.elicit::<Sure>("Never seen"));
            let mut task = Task::from_waker(Waker::noop());
            assert!(asked.as_mut().poll(&mut task).is_pending());
        }
        tokio::task::yield_now().await;
        Ok("gave up".to_owned())
    }

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        let mut task = Task::from_waker(Waker::noop());
        loop {
            if let Poll::Ready(done) = future.as_mut().poll(&mut task) {
                return done;
            }
            std::thread::yield_now();
        }
    }

    #[tool(inline)]
    fn inline(ctx: &Context) -> Result<String> {
        block_on(sure(ctx))
    }

    #[tool(blocking)]
    fn blocking(ctx: &Context) -> Result<String> {
        let (one, two) = block_on(async { tokio::join!(sure(ctx), sure(ctx)) });
        Ok(one? + " " + &two?)
    }
}

fn tools() -> (Arc<Events>, Client) {
    let events = Arc::new(Events::default());
    let server = server(concat!(module_path!(), "::tools")).state(events.clone());
    (events, Client::new(server).expect("it starts"))
}

fn sure() -> Value {
    json!({ "input": accept(json!({ "sure": true })) })
}

/// "Servers MAY send `InputRequiredResult` responses on" `prompts/get`, `resources/read` and `tools/call`.
#[tokio::test]
async fn prompts_and_resources_ask() {
    let (_, client) = tools();
    for (method, params) in [
        ("prompts/get", json!({ "name": "prompt" })),
        ("resources/read", json!({ "uri": "fixed://it" })),
        ("resources/read", json!({ "uri": "rows://7" })),
    ] {
        let call = Rounds::new(&client, method, params);
        let first = asked(&call.begin().await);
        let answer = call.answer(&first, sure()).await;
        assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
        assert!(answer["result"].to_string().contains("sure: true"), "{answer}");
    }
}

/// "Servers MUST NOT send `InputRequiredResult` responses on any other client requests."
#[tokio::test]
async fn nothing_else_asks() {
    let (_, client) = tools();
    let (logs, _guard) = Logs::begin();
    let prompt = json!({ "type": "ref/prompt", "name": "prompt" });
    let row = json!({ "type": "ref/resource", "uri": "rows://{id}" });
    for (method, params) in [
        ("resources/list", json!({})),
        ("completion/complete", json!({ "ref": prompt, "argument": { "name": "text", "value": "" } })),
        ("completion/complete", json!({ "ref": row, "argument": { "name": "id", "value": "" } })),
    ] {
        let call = Rounds::new(&client, method, params);
        let answer = call.begin().await;
        assert_eq!(failed(&answer), (-32603, "This request cannot ask for input"), "{method}");
        // Nor is it tricked into it.
        let answer = call.round(json!({ "inputResponses": sure() })).await;
        assert_eq!(failed(&answer), (-32603, "This request cannot ask for input"), "{method}");
    }
    assert!(logs.text().contains("in tools, resources and prompts only"), "{}", logs.text());
}

#[tokio::test]
async fn a_suspended_future_is_dropped() {
    let (events, client) = tools();
    let call = Rounds::call(&client, "drops", json!({}));
    let first = asked(&call.begin().await);
    assert_eq!(events.all(), ["dropped"]);
    assert_eq!(ended(&call.answer(&first, sure()).await), "sure: true");
    assert_eq!(events.all(), ["dropped", "dropped"]);
    let call = Rounds::call(&client, "panics_when_dropped", json!({}));
    assert_eq!(failed(&call.begin().await), (-32603, "Internal error"));
}

/// "Progress notifications MUST stop after completion."
#[tokio::test]
async fn nothing_follows_the_answer() {
    let (events, client) = tools();
    let meta = json!({
        "progressToken": 1,
        "io.modelcontextprotocol/logLevel": "debug",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} }
    });
    let call = request(1, "tools/call", json!({ "name": "progress", "_meta": meta }));
    let (notifications, answer) = exchange(&client, &call).await;
    asked(&answer);
    let messages: Vec<&Value> = notifications.iter().map(|n| &n["params"]["message"]).collect();
    assert_eq!(messages, ["before"]);
    events.wait_for("ended").await;
}

#[tokio::test]
async fn a_body_that_never_ends_runs_into_the_timeout() {
    let (_, client) = tools();
    let answer = Rounds::call(&client, "never_ends", json!({})).begin().await;
    assert_eq!(
        answer["result"]["content"][0]["text"],
        "`never_ends` did not finish within 20ms and was cancelled"
    );
}

#[tokio::test]
async fn a_call_is_cancelled_while_a_body_runs() {
    let (events, client) = tools();
    let call = Rounds::call(&client, "waits_in_once", json!({}));
    tokio::select! {
        biased;
        answer = call.begin() => panic!("{answer}"),
        () = events.wait_for("started") => {}
    }
    events.wait_for("dropped").await;
}

#[tokio::test]
async fn what_is_no_longer_awaited_is_not_asked_for() {
    let (_, client) = tools();
    assert_eq!(ended(&Rounds::call(&client, "gives_up", json!({})).begin().await), "gave up");
}

/// A function that cannot wait is told that its run is over, and runs again with the answer.
#[tokio::test]
async fn synchronous_functions_ask() {
    let (_, client) = tools();
    let call = Rounds::call(&client, "inline", json!({}));
    let first = asked(&call.begin().await);
    assert_eq!(ended(&call.answer(&first, sure()).await), "sure: true");
    let call = Rounds::call(&client, "blocking", json!({}));
    let first = asked(&call.begin().await);
    assert_eq!(keys(&first).len(), 2);
    let second = asked(&call.answer(&first, sure()).await);
    let answer = call.answer(&second, json!({ "input-2": accept(json!({ "sure": false })) })).await;
    assert_eq!(ended(&answer), "sure: true sure: false");
}
