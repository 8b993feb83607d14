//! Handlers that ask for other things when they run again: told so in debug builds.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use mcp_runtime::testing::Client;
use mcp_tests::logs::Logs;
use mcp_tests::rounds::{Rounds, accept, asked, ended, failed, keys};
use mcp_tests::server;
use serde_json::{Value, json};

mod tools {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use mcp_runtime::prelude::*;

    #[derive(Elicit)]
    struct Sure {
        sure: bool,
    }

    async fn sure(ask: mcp_runtime::Ask<Answer<Sure>>) -> Result<bool> {
        Ok(ask.await?.accepted().is_some_and(|answer| answer.sure))
    }

    /// What a handler should not look at.
    type Outside = State<Arc<AtomicU32>>;

    #[tool]
    async fn other_message(outside: Outside, ctx: &Context) -> Result<String> {
        let message = format!("Delete {}?", outside.load(Ordering::Relaxed));
        Ok(sure(ctx.elicit(message)).await?.to_string())
    }

    #[tool]
    async fn other_message_with_a_key(outside: Outside, ctx: &Context) -> Result<String> {
        let message = format!("{} seats are left. Book?", outside.load(Ordering::Relaxed));
        Ok(sure(ctx.elicit(message).key("book")).await?.to_string())
    }

    #[tool]
    async fn other_key(outside: Outside, ctx: &Context) -> Result<String> {
        let key = format!("k{}", outside.load(Ordering::Relaxed));
        Ok(sure(ctx.elicit("Sure?").key(key)).await?.to_string())
    }

    #[tool]
    async fn other_method(outside: Outside, ctx: &Context) -> std::result::Result<String, String> {
        if outside.load(Ordering::Relaxed) == 0 {
            sure(ctx.elicit("Sure?").key("k")).await.map_err(|error| error.to_string())?;
        } else {
            #[allow(deprecated)]
            ctx.roots().key("k").await.map_err(|error| error.to_string())?;
        }
        Ok("done".to_owned())
    }

    /// Fewer is no fault: an answer may make a question needless.
    #[tool]
    async fn fewer(outside: Outside, ctx: &Context) -> Result<String> {
        if outside.load(Ordering::Relaxed) == 0 {
            sure(ctx.elicit("Sure?")).await?;
        }
        Ok("done".to_owned())
    }
}

fn tools() -> (Arc<AtomicU32>, Client) {
    let outside = Arc::new(AtomicU32::new(0));
    let server = server(concat!(module_path!(), "::tools")).state(outside.clone());
    (outside, Client::new(server).expect("it starts"))
}

fn yes() -> Value {
    accept(json!({ "sure": true }))
}

#[tokio::test]
async fn the_answer_to_one_question_is_not_the_answer_to_another() {
    let (outside, client) = tools();
    let (logs, _guard) = Logs::begin();
    let call = Rounds::call(&client, "other_message", json!({}));
    let first = asked(&call.begin().await);
    outside.store(1, Ordering::Relaxed);
    let answer = call.answer(&first, json!({ "input": yes() })).await;
    if cfg!(debug_assertions) {
        assert_eq!(
            failed(&answer),
            (
                -32603,
                r#"The handler asked for other things than in the rounds before: ["input: elicitation/create Delete 0?"], then ["input-2: elicitation/create Delete 1?"]"#
            )
        );
        let logged = logs.text();
        assert!(logged.contains("Delete 0?") && logged.contains("Delete 1?"), "{logged}");
        assert!(logged.contains("and on nothing else"), "{logged}");
    } else {
        let second = asked(&answer);
        assert_eq!(second.requests["input-2"]["params"]["message"], "Delete 1?");
    }
}

#[tokio::test]
async fn a_key_lets_the_message_have_live_data() {
    let (outside, client) = tools();
    let call = Rounds::call(&client, "other_message_with_a_key", json!({}));
    let first = asked(&call.begin().await);
    outside.store(1, Ordering::Relaxed);
    assert_eq!(ended(&call.answer(&first, json!({ "book": yes() })).await), "true");
}

#[tokio::test]
async fn other_keys_and_methods_are_noticed() {
    let (outside, client) = tools();
    for (name, key) in [("other_key", "k0"), ("other_method", "k")] {
        outside.store(0, Ordering::Relaxed);
        let call = Rounds::call(&client, name, json!({}));
        let first = asked(&call.begin().await);
        assert_eq!(keys(&first), [key]);
        outside.store(1, Ordering::Relaxed);
        let answer = call.answer(&first, json!({ key: yes() })).await;
        if cfg!(debug_assertions) {
            let (code, message) = failed(&answer);
            assert_eq!(code, -32603);
            assert!(message.starts_with("The handler asked for other things"), "{message}");
        } else {
            asked(&answer);
        }
    }
}

#[tokio::test]
async fn fewer_questions_are_no_fault() {
    let (outside, client) = tools();
    let call = Rounds::call(&client, "fewer", json!({}));
    let first = asked(&call.begin().await);
    outside.store(1, Ordering::Relaxed);
    assert_eq!(ended(&call.answer(&first, json!({ "input": yes() })).await), "done");
}
