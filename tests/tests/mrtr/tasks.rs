//! Requests from tasks that hold a clone of the context.

use std::sync::Arc;

use mcp_runtime::testing::Client;
use mcp_tests::rounds::{Rounds, accept, asked, ended, keys};
use mcp_tests::server;
use serde_json::{Value, json};
use tools::Ends;

mod tools {
    use std::sync::Mutex;

    use mcp_runtime::InputRequired;
    use mcp_runtime::prelude::*;
    use tokio::sync::Notify;

    /// How tasks ended.
    #[derive(Default)]
    pub(crate) struct Ends {
        pub(crate) texts: Mutex<Vec<String>>,
        pub(crate) bell: Notify,
    }

    impl Ends {
        fn note(&self, text: String) {
            self.texts.lock().expect("no panic").push(text);
            self.bell.notify_one();
        }
    }

    type Shared = State<std::sync::Arc<Ends>>;

    #[derive(Elicit)]
    struct Text {
        text: String,
    }

    async fn text(ctx: Context, key: &'static str) -> Result<String, String> {
        let answer = ctx.elicit::<Text>(key).key(key).await.map_err(|error| error.to_string())?;
        Ok(answer.accepted().map_or_else(|| "-".to_owned(), |answer| answer.text))
    }

    #[tool]
    async fn awaited(ends: Shared, ctx: Context) -> Result<String> {
        let ends = ends.clone();
        let task = tokio::spawn(async move {
            let text = text(ctx, "task").await;
            ends.note(format!("{text:?}"));
            text
        });
        Ok(task.await??)
    }

    /// Many at once, on as many threads as there are.
    #[tool]
    async fn many(count: usize, ctx: Context) -> Result<String> {
        const KEYS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let tasks: Vec<_> = KEYS[..count].iter().map(|key| tokio::spawn(text(ctx.clone(), key))).collect();
        let mut all = String::new();
        for task in tasks {
            all += &task.await??;
        }
        Ok(all)
    }

    /// The answer is the handler's.
    #[tool]
    async fn left_behind(ends: Shared, ctx: Context) -> String {
        let shared = ends.clone();
        let begun = std::sync::Arc::new(Notify::new());
        let bell = begun.clone();
        tokio::spawn(async move {
            let mut asked = std::pin::pin!(text(ctx, "task"));
            std::future::poll_fn(|task| {
                let polled = asked.as_mut().poll(task);
                bell.notify_one();
                polled
            })
            .await
            .map_or_else(|error| shared.note(error), |text| shared.note(text));
        });
        begun.notified().await;
        "returned".to_owned()
    }

    #[tool]
    async fn left_behind_by_hand(ends: Shared, ctx: Context) -> Result<String> {
        if let Some(answer) = ctx.answer::<Text>("hand")? {
            return Ok(answer.accepted().map_or_else(String::new, |answer| answer.text));
        }
        let shared = ends.clone();
        let mut asked = Box::pin(text(ctx, "task"));
        std::future::poll_fn(|task| std::task::Poll::Ready(asked.as_mut().poll(task).is_pending())).await;
        tokio::spawn(async move { shared.note(format!("{:?}", asked.await)) });
        Err(InputRequired::new().elicit::<Text>("hand", "By hand").into())
    }
}

const OVER: &str = "This run of the call is over: nobody answers this request any more";

fn tools() -> (Arc<Ends>, Client) {
    let ends = Arc::new(Ends::default());
    let server = server(concat!(module_path!(), "::tools")).state(ends.clone());
    (ends, Client::new(server).expect("it starts"))
}

fn text(text: &str) -> Value {
    accept(json!({ "text": text }))
}

async fn ends(ends: &Ends) -> String {
    loop {
        if let Some(text) = ends.texts.lock().expect("no panic").pop() {
            return text;
        }
        ends.bell.notified().await;
    }
}

#[tokio::test]
async fn a_task_asks_while_its_handler_waits_for_it() {
    let (tasks, client) = tools();
    let call = Rounds::call(&client, "awaited", json!({}));
    let first = asked(&call.begin().await);
    assert_eq!(keys(&first), ["task"]);
    assert!(ends(&tasks).await.contains(OVER));
    assert_eq!(ended(&call.answer(&first, json!({ "task": text("x") })).await), "x");
}

/// Whatever the threads do: no request is missed, and no answer is lost or given to another.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn tasks_on_many_threads_are_never_missed() {
    let (_, client) = tools();
    for round in 0..300 {
        let count = 1 + round % 8;
        let call = Rounds::call(&client, "many", json!({ "count": count }));
        let mut answer = call.begin().await;
        let mut answered = Vec::new();
        while answer["result"]["resultType"] == "input_required" {
            let round = asked(&answer);
            let mut responses = json!({});
            for key in keys(&round) {
                assert!(!answered.contains(&key.to_owned()), "{key} is asked for twice");
                answered.push(key.to_owned());
                responses[key] = text(key);
            }
            answer = call.answer(&round, responses).await;
        }
        assert_eq!(ended(&answer), &"abcdefgh"[..count]);
    }
}

#[tokio::test]
async fn a_task_that_is_left_behind_is_told() {
    let (tasks, client) = tools();
    let answer = Rounds::call(&client, "left_behind", json!({})).begin().await;
    assert_eq!(ended(&answer), "returned");
    assert!(ends(&tasks).await.contains(OVER));
    let call = Rounds::call(&client, "left_behind_by_hand", json!({}));
    let first = asked(&call.begin().await);
    assert_eq!(keys(&first), ["hand"]);
    assert!(ends(&tasks).await.contains(OVER));
    assert_eq!(ended(&call.answer(&first, json!({ "hand": text("x") })).await), "x");
}
