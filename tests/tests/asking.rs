//! Handlers that ask the client: what they are given back, round after round (basic/patterns/mrtr).

use mcp_runtime::Server;
use mcp_runtime::testing::Client;
use serde_json::{Value, json};

mod tools {
    use std::sync::atomic::{AtomicU32, Ordering};

    use mcp_runtime::InputRequired;
    use mcp_runtime::prelude::*;

    #[derive(Elicit)]
    struct Word {
        #[elicit(length(2..=9))]
        word: String,
    }

    async fn word(key: &str, ctx: &Context) -> Result<String> {
        let answer = ctx.elicit::<Word>("A word?\n\nAny word.").key(key).await?;
        Ok(answer.accepted().map_or_else(|| "none".to_owned(), |answer| answer.word))
    }

    #[tool]
    async fn one(ctx: &Context) -> Result<String> {
        word("a", ctx).await
    }

    #[tool]
    async fn branches(ctx: &Context) -> Result<String> {
        let two = async {
            Ok::<_, Box<dyn std::error::Error + Send + Sync>>((word("a", ctx).await?, word("c", ctx).await?))
        };
        let ((a, c), b) = tokio::try_join!(two, word("b", ctx))?;
        Ok(format!("{a} {b} {c}"))
    }

    #[tool]
    fn by_hand(ctx: &Context) -> Result<String> {
        let mut found = Vec::new();
        for key in ["a", "b", "c"] {
            match ctx.answer::<Word>(key)? {
                Some(answer) => found.extend(answer.accepted().map(|answer| answer.word)),
                None => return Err(InputRequired::new().elicit::<Word>(key, "A word?").into()),
            }
        }
        Ok(found.join(" "))
    }

    #[tool]
    async fn capricious(ctx: &Context, calls: State<AtomicU32>) -> Result<String> {
        word(&format!("try {}", calls.fetch_add(1, Ordering::Relaxed)), ctx).await
    }
}

fn client() -> Client {
    let server = Server::new().only("asking::tools").state(std::sync::atomic::AtomicU32::new(0));
    Client::new(server).expect("it starts").capabilities(json!({ "elicitation": {} }))
}

fn word(word: &str) -> Value {
    json!({ "action": "accept", "content": { "word": word } })
}

/// "Servers MAY choose to return an `InputRequiredResult` on multiple attempts at the same request if they want to
/// repeatedly prompt the user for information".
#[tokio::test]
async fn a_wrong_answer_is_told_behind_the_whole_message() {
    let client = client();
    let first = client.request("tools/call", json!({ "name": "one" })).await.expect("it asks");
    let again = json!({
        "name": "one", "inputResponses": { "a": word("x") }, "requestState": first["requestState"]
    });
    let second = client.request("tools/call", again).await.expect("it asks again");
    assert_eq!(
        second["inputRequests"]["a"]["params"]["message"],
        "A word?\n\nAny word.\n\nword: must have 2 to 9 characters, not 1"
    );
}

#[tokio::test]
async fn a_branch_asks_on_while_another_has_its_answer() {
    for order in [["a", "b"], ["b", "a"]] {
        let client = client();
        let mut request = client.call("branches", json!({}));
        for key in order {
            request = request.answer(key, word(&format!("{key}{key}")));
        }
        let result = request.answer("c", word("cc")).await.expect("each answer goes to its question");
        assert_eq!(result.text(), "aa bb cc");
    }
}

#[tokio::test]
async fn answers_of_all_rounds_are_kept_for_a_handler_that_asks_by_hand() {
    let client = client();
    let request = client.call("by_hand", json!({}));
    let request = request.answer("a", word("aa")).answer("b", word("bb")).answer("c", word("cc"));
    assert_eq!(request.await.expect("three answers").text(), "aa bb cc");
}

/// A handler runs again from its beginning, so it has to ask for the same things again.
#[tokio::test]
#[cfg(debug_assertions)]
async fn a_handler_that_asks_for_other_things_is_told_both() {
    let error =
        client().call("capricious", json!({})).answer("try 0", word("aa")).await.expect_err("it differs");
    assert_eq!(
        (error.code(), error.message()),
        (
            -32603,
            "The handler asked for other things than in the rounds before: \
             [\"try 0: elicitation/create A word?\\n\\nAny word.\"], then \
             [\"try 1: elicitation/create A word?\\n\\nAny word.\"]"
        )
    );
}
