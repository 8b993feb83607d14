//! What is done once, whatever is asked afterwards.

use mcp_runtime::testing::Client;
use mcp_tests::rounds::{Rounds, accept, asked, ended, failed, keys};
use mcp_tests::{logs::Logs, server};
use serde_json::{Value, json};
use tools::Runs;

mod tools {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, Ordering};

    use mcp_runtime::prelude::*;
    use tokio::sync::Notify;

    /// The bodies that ran.
    #[derive(Default)]
    pub(crate) struct Runs {
        pub(crate) names: Mutex<Vec<String>>,
        pub(crate) fails: AtomicBool,
        pub(crate) begun: Notify,
        pub(crate) ended: Notify,
    }

    impl Runs {
        fn note(&self, name: &str) -> String {
            self.names.lock().expect("no panic").push(name.to_owned());
            name.to_owned()
        }

        pub(crate) fn all(&self) -> Vec<String> {
            self.names.lock().expect("no panic").clone()
        }
    }

    type Shared = State<std::sync::Arc<Runs>>;

    #[derive(Elicit)]
    struct Sure {
        sure: bool,
    }

    async fn sure(ctx: &Context) -> Result<bool> {
        Ok(ctx.elicit::<Sure>("Sure?").await?.accepted().is_some_and(|answer| answer.sure))
    }

    #[tool]
    async fn twice(runs: Shared, ctx: &Context) -> Result<String> {
        let a: String = ctx.once("a", || async { Ok::<_, String>(runs.note("a")) }).await?;
        sure(ctx).await?;
        let b: String = ctx.once("b", || async { Ok::<_, String>(runs.note("b")) }).await?;
        sure(ctx).await?;
        Ok(a + &b)
    }

    #[tool]
    async fn fails_first(runs: Shared, ctx: &Context) -> Result<String> {
        let body = || async {
            runs.note("body");
            if runs.fails.swap(false, Ordering::Relaxed) { Err("no luck") } else { Ok(7) }
        };
        let got = ctx.once("body", body).await.map_err(|error| error.to_string());
        sure(ctx).await?;
        Ok(format!("{got:?}"))
    }

    /// Another branch waits already while the body runs.
    #[tool]
    async fn beside(runs: Shared, ctx: &Context) -> Result<String> {
        let slow = ctx.once("slow", || async {
            for _ in 0..5 {
                tokio::task::yield_now().await;
            }
            Ok::<_, String>(runs.note("slow"))
        });
        let then = async {
            let slow = slow.await?;
            runs.note("after slow");
            std::future::pending::<()>().await;
            Result::<String>::Ok(slow)
        };
        let answer = async { sure(ctx).await };
        tokio::select! {
            biased;
            slow = then => slow,
            answer = answer => Ok(format!("{} {:?}", answer?, runs.all())),
        }
    }

    #[tool]
    async fn panics(ctx: &Context) -> Result<String> {
        let _: u8 = ctx
            .once("x", || async { if ctx.round() == 1 { panic!("ouch") } else { Ok::<_, String>(1) } })
            .await?;
        Ok("survived".to_owned())
    }

    /// The panic is caught by the author; the call is still suspended.
    #[tool]
    async fn panics_in_a_task(ctx: Context) -> Result<String> {
        let other = ctx.clone();
        let panicked = tokio::spawn(async move {
            let _ = other.once::<u8, String, _, _>("x", || async { panic!("ouch") }).await;
        });
        assert!(panicked.await.is_err());
        Ok(sure(&ctx).await?.to_string())
    }

    #[tool]
    async fn other_type(ctx: &Context) -> Result<String> {
        if ctx.round() == 1 {
            let _: String = ctx.once("x", || async { Ok::<_, String>("text".to_owned()) }).await?;
        } else {
            let _: u32 = ctx.once("x", || async { Ok::<_, String>(1) }).await?;
        }
        Ok(sure(ctx).await?.to_string())
    }

    #[tool]
    async fn no_json(ctx: &Context) -> Result<String> {
        let value = std::collections::BTreeMap::from([((1, 2), 3)]);
        let value = ctx.once("x", || async { Ok::<_, String>(value) }).await?;
        Ok(format!("{value:?}"))
    }

    #[tool]
    async fn shared(runs: Shared, ctx: &Context) -> Result<String> {
        let body = || async {
            tokio::task::yield_now().await;
            Ok::<_, String>(runs.note("shared"))
        };
        let (a, b): (String, String) = tokio::try_join!(ctx.once("x", body), ctx.once("x", body))?;
        let c: String = ctx.once("x", body).await?;
        Ok(a + &b + &c)
    }

    #[tool]
    async fn nested(runs: Shared, ctx: &Context) -> Result<String> {
        let value: String = ctx
            .once("x", || async { ctx.once("x", || async { Ok::<_, String>(runs.note("inner")) }).await })
            .await?;
        Ok(value)
    }

    #[tool]
    async fn asks_inside(ctx: &Context) -> String {
        let sure = ctx.once("x", || async { sure(ctx).await }).await;
        format!("{:?}", sure.is_ok())
    }

    #[tool]
    async fn spawned(runs: Shared, ctx: Context) -> Result<String> {
        if ctx.round() > 1 {
            let first = ctx.once("first", || async { Err::<String, _>("it was not sealed") }).await?;
            return Ok(format!("{first} {}", sure(&ctx).await?));
        }
        let (other, shared) = (ctx.clone(), runs.clone());
        tokio::spawn(async move {
            let body = || async {
                shared.begun.notify_one();
                for _ in 0..5 {
                    tokio::task::yield_now().await;
                }
                Ok::<_, String>(shared.note("first"))
            };
            let _: Result<String> = other.once("first", body).await;
            other.cancelled().await;
            let second: Result<String> =
                other.once("second", || async { Ok::<_, String>(shared.note("second")) }).await;
            shared.note(&format!("refused: {}", second.is_err()));
            shared.ended.notify_one();
        });
        runs.begun.notified().await;
        Ok(sure(&ctx).await?.to_string())
    }

    #[tool]
    async fn large(bytes: usize, ctx: &Context) -> Result<String> {
        let text = ctx.once("text", || async { Ok::<_, String>("x".repeat(bytes)) }).await?;
        Ok(format!("{} {}", sure(ctx).await?, text.len()))
    }
}

fn tools() -> (std::sync::Arc<Runs>, Client) {
    let runs = std::sync::Arc::new(Runs::default());
    let server = server(concat!(module_path!(), "::tools")).state(runs.clone());
    (runs, Client::new(server).expect("it starts"))
}

fn sure() -> Value {
    accept(json!({ "sure": true }))
}

#[tokio::test]
async fn a_body_runs_once_across_rounds() {
    let (runs, client) = tools();
    let call = Rounds::call(&client, "twice", json!({}));
    let first = asked(&call.begin().await);
    let second = asked(&call.answer(&first, json!({ "input": sure() })).await);
    let again = asked(&call.round(json!({ "requestState": second.state })).await);
    let answer = call.answer(&again, json!({ "input-2": sure() })).await;
    assert_eq!(ended(&answer), "ab");
    assert_eq!(runs.all(), ["a", "b"]);
    // "A client that sends one and the same round twice […] makes the body run twice."
    call.answer(&first, json!({ "input": sure() })).await;
    assert_eq!(runs.all(), ["a", "b", "b"]);
    call.begin().await;
    assert_eq!(runs.all(), ["a", "b", "b", "a"]);
}

#[tokio::test]
async fn an_error_is_not_remembered() {
    let (runs, client) = tools();
    runs.fails.store(true, std::sync::atomic::Ordering::Relaxed);
    let call = Rounds::call(&client, "fails_first", json!({}));
    let first = asked(&call.begin().await);
    assert_eq!(ended(&call.answer(&first, json!({ "input": sure() })).await), "Ok(7)");
    assert_eq!(runs.all(), ["body", "body"]);
}

/// "Running `once` bodies finish and are sealed before the future is dropped."
#[tokio::test]
async fn a_running_body_finishes_before_the_client_is_asked() {
    let (runs, client) = tools();
    let call = Rounds::call(&client, "beside", json!({}));
    let first = asked(&call.begin().await);
    assert_eq!(keys(&first), ["input"]);
    assert_eq!(runs.all(), ["slow", "after slow"]);
    let answer = call.answer(&first, json!({ "input": sure() })).await;
    assert_eq!(ended(&answer), r#"true ["slow", "after slow", "after slow"]"#);
}

#[tokio::test]
async fn a_panic_inside_leaves_the_server_in_order() {
    let (_, client) = tools();
    let answer = Rounds::call(&client, "panics", json!({})).begin().await;
    assert_eq!(failed(&answer), (-32603, "Internal error"));
    let call = Rounds::call(&client, "panics_in_a_task", json!({}));
    let first = asked(&call.begin().await);
    assert_eq!(ended(&call.answer(&first, json!({ "input": sure() })).await), "true");
}

#[tokio::test]
async fn what_is_remembered_has_to_be_of_one_type() {
    let (_, client) = tools();
    let (logs, _guard) = Logs::begin();
    let call = Rounds::call(&client, "other_type", json!({}));
    let first = asked(&call.begin().await);
    let answer = call.answer(&first, json!({ "input": sure() })).await;
    assert_eq!(failed(&answer), (-32603, "Internal error"));
    assert!(logs.text().contains(r#"`once` remembers another type under "x""#), "{}", logs.text());
    let answer = Rounds::call(&client, "no_json", json!({})).begin().await;
    assert_eq!(failed(&answer), (-32603, "Internal error"));
    assert!(logs.text().contains(r#"the value of `once` under "x" does not serialize"#), "{}", logs.text());
}

#[tokio::test]
async fn two_calls_with_one_key_share_a_body() {
    let (runs, client) = tools();
    assert_eq!(ended(&Rounds::call(&client, "shared", json!({})).begin().await), "sharedsharedshared");
    assert_eq!(runs.all(), ["shared"]);
}

#[tokio::test]
async fn a_body_does_not_wait_for_itself() {
    let (runs, client) = tools();
    assert_eq!(ended(&Rounds::call(&client, "nested", json!({})).begin().await), "inner");
    assert_eq!(runs.all(), ["inner"]);
}

#[tokio::test]
async fn a_body_cannot_ask() {
    let (_, client) = tools();
    let (logs, _guard) = Logs::begin();
    let answer = Rounds::call(&client, "asks_inside", json!({})).begin().await;
    assert_eq!(failed(&answer), (-32603, "The handler asks for input inside of `once`"));
    assert!(logs.text().contains("ask before it or after it"), "{}", logs.text());
}

/// A body in a task is sealed as well; one that would begin after the suspension does not run.
#[tokio::test]
async fn bodies_in_tasks_belong_to_the_run() {
    let (runs, client) = tools();
    let call = Rounds::call(&client, "spawned", json!({}));
    let first = asked(&call.begin().await);
    assert_eq!(runs.all(), ["first"]);
    runs.ended.notified().await;
    assert_eq!(runs.all(), ["first", "refused: true"]);
    assert_eq!(ended(&call.answer(&first, json!({ "input": sure() })).await), "first true");
}

#[tokio::test]
async fn what_is_remembered_is_bounded() {
    let (_, client) = tools();
    let (logs, _guard) = Logs::begin();
    let call = Rounds::call(&client, "large", json!({ "bytes": 40_000 }));
    let first = asked(&call.begin().await);
    assert_eq!(ended(&call.answer(&first, json!({ "input": sure() })).await), "true 40000");
    let answer = Rounds::call(&client, "large", json!({ "bytes": 70_000 })).begin().await;
    assert_eq!(failed(&answer), (-32603, "The state of this request is too large to be carried on"));
    assert!(logs.text().contains("raise `Server::seal_size_limit`"), "{}", logs.text());

    let server = server(concat!(module_path!(), "::tools")).state(std::sync::Arc::new(Runs::default()));
    let client = Client::new(server.seal_size_limit(100)).expect("it starts");
    let answer = Rounds::call(&client, "large", json!({ "bytes": 100 })).begin().await;
    assert_eq!(failed(&answer).0, -32603);
}
