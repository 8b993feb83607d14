//! Requests and answers: keys, rounds, and what clients send.

use mcp_tests::client;
use mcp_tests::rounds::{Rounds, accept, asked, ended, failed, keys};
use serde_json::json;

mod tools {
    use mcp_runtime::prelude::*;

    #[derive(Elicit)]
    struct Text {
        text: String,
    }

    async fn text(ask: mcp_runtime::Ask<Answer<Text>>) -> Result<String> {
        Ok(ask.await?.accepted().map_or_else(|| "-".to_owned(), |answer| answer.text))
    }

    /// `github_login` and `capital_of_france`, the keys of the specification's example.
    #[tool]
    async fn named(ctx: &Context) -> Result<String> {
        let login = text(ctx.elicit("Please provide your GitHub username").key("github_login"));
        let capital = text(ctx.elicit("What is the capital of France?").key("capital_of_france"));
        let (login, capital) = tokio::try_join!(login, capital)?;
        Ok(format!("{login} {capital} in round {}", ctx.round()))
    }

    #[tool]
    async fn one_by_one(ctx: &Context) -> Result<String> {
        let a = text(ctx.elicit("a")).await?;
        let b = text(ctx.elicit("b")).await?;
        let c = text(ctx.elicit("c")).await?;
        Ok(format!("{a}{b}{c} in round {}", ctx.round()))
    }

    #[tool]
    #[allow(clippy::many_single_char_names)] // as in the test
    async fn same_keys(ctx: &Context) -> Result<String> {
        // The last one is named as the second would be by its position.
        let (a, b, c, d, e) = tokio::try_join!(
            text(ctx.elicit("a").key("k")),
            text(ctx.elicit("b").key("k")),
            text(ctx.elicit("c").key("input-2")),
            text(ctx.elicit("d")),
            text(ctx.elicit("e")),
        )?;
        Ok([a, b, c, d, e].concat())
    }

    /// Each branch goes on by itself.
    #[tool]
    async fn branches(ctx: &Context) -> Result<String> {
        let one = async {
            let a = text(ctx.elicit("a")).await?;
            Result::<String>::Ok(a + &text(ctx.elicit("b").key("b")).await?)
        };
        let other = async {
            let c = text(ctx.elicit("c").key("c")).await?;
            Result::<String>::Ok(c + &text(ctx.elicit("d").key("d")).await?)
        };
        let (one, other) = tokio::try_join!(one, other)?;
        Ok(one + &other)
    }

    #[tool]
    fn asks_nothing(ctx: &Context) -> String {
        format!("round {}", ctx.round())
    }
}

fn tools() -> mcp_runtime::testing::Client {
    client(concat!(module_path!(), "::tools"))
}

fn text(text: &str) -> serde_json::Value {
    accept(json!({ "text": text }))
}

#[tokio::test]
async fn several_requests_go_out_in_one_round() {
    let client = tools();
    let call = Rounds::call(&client, "named", json!({}));
    let first = asked(&call.begin().await);
    assert_eq!(keys(&first), ["capital_of_france", "github_login"]);
    let answers = json!({ "github_login": text("octocat"), "capital_of_france": text("Paris") });
    assert_eq!(ended(&call.answer(&first, answers).await), "octocat Paris in round 2");
}

/// "The server SHOULD respond with a new `InputRequiredResult` requesting the missing information again."
#[tokio::test]
async fn what_is_missing_is_asked_for_again() {
    let client = tools();
    let call = Rounds::call(&client, "named", json!({}));
    let first = asked(&call.begin().await);
    let second = asked(&call.answer(&first, json!({ "github_login": text("octocat") })).await);
    assert_eq!(keys(&second), ["capital_of_france"]);
    assert_eq!(second.requests["capital_of_france"], first.requests["capital_of_france"]);
    let third = asked(&call.round(json!({ "requestState": second.state })).await);
    assert_eq!(third.requests, second.requests);
    let answer = call.answer(&third, json!({ "capital_of_france": text("Paris") })).await;
    assert_eq!(ended(&answer), "octocat Paris in round 4");
}

#[tokio::test]
async fn each_round_knows_the_answers_of_those_before() {
    let client = tools();
    let call = Rounds::call(&client, "one_by_one", json!({}));
    let first = asked(&call.begin().await);
    assert_eq!(keys(&first), ["input"]);
    let second = asked(&call.answer(&first, json!({ "input": text("x") })).await);
    assert_eq!(keys(&second), ["input-2"]);
    // What was answered before is not changed by a client that answers it again.
    let both = json!({ "input": text("no"), "input-2": text("y") });
    let third = asked(&call.answer(&second, both).await);
    assert_eq!(keys(&third), ["input-3"]);
    let answer = call.answer(&third, json!({ "input-3": text("z") })).await;
    assert_eq!(ended(&answer), "xyz in round 4");
}

/// "`inputRequests` keys are server assigned identifiers and MUST be unique within the scope of the request."
#[tokio::test]
async fn keys_are_unique() {
    let client = tools();
    let call = Rounds::call(&client, "same_keys", json!({}));
    let first = asked(&call.begin().await);
    assert_eq!(keys(&first), ["input", "input-2", "input-3", "k", "k-2"]);
    let answers = json!({
        "k": text("a"), "k-2": text("b"), "input-2": text("c"), "input": text("d"), "input-3": text("e")
    });
    assert_eq!(ended(&call.answer(&first, answers).await), "abcde");
}

#[tokio::test]
async fn branches_go_on_by_themselves() {
    let client = tools();
    for order in [["input", "b", "c", "d"], ["c", "d", "input", "b"], ["c", "input", "b", "d"]] {
        let call = Rounds::call(&client, "branches", json!({}));
        let mut answer = call.begin().await;
        for key in order {
            let round = asked(&answer);
            assert!(keys(&round).contains(&key), "{key} {answer}");
            answer = call.answer(&round, json!({ key: text(key) })).await;
        }
        assert_eq!(ended(&answer), "inputbcd");
    }
}

/// "If additional, unexpected parameters are provided […], the server SHOULD ignore any information it does
/// not recognize or need."
#[tokio::test]
async fn what_nobody_asked_for_is_ignored() {
    let client = tools();
    let call = Rounds::call(&client, "one_by_one", json!({}));
    let first = asked(&call.begin().await);
    let more = json!({
        "input": text("x"), "input-2": text("too early"), "nobody": 5, "other": { "action": "explode" }, "": null
    });
    let second = asked(&call.answer(&first, more.clone()).await);
    assert_eq!(keys(&second), ["input-2"]);
    let call = Rounds::call(&client, "asks_nothing", json!({}));
    assert_eq!(ended(&call.round(json!({ "inputResponses": more })).await), "round 1");
}

/// What comes without a state is taken as it is, since it can only be what the client wants to say.
#[tokio::test]
async fn a_client_can_answer_beforehand() {
    let client = tools();
    let call = Rounds::call(&client, "one_by_one", json!({}));
    let answer = call.round(json!({ "inputResponses": { "input": text("x") } })).await;
    assert_eq!(keys(&asked(&answer)), ["input-2"]);
}

/// "Servers SHOULD validate that the data provided by the client is a valid `InputResponses` object".
#[tokio::test]
async fn malformed_responses_are_refused() {
    let client = tools();
    let call = Rounds::call(&client, "one_by_one", json!({}));
    let first = asked(&call.begin().await);
    for responses in [json!(null), json!([]), json!("x"), json!(1), json!(true)] {
        for members in [
            json!({ "inputResponses": responses, "requestState": first.state }),
            json!({ "inputResponses": responses }),
        ] {
            let answer = call.round(members).await;
            let message =
                "Invalid params: `params.inputResponses` must be an object of answers by their keys";
            assert_eq!(failed(&answer), (-32602, message), "{responses}");
        }
    }
    for response in [
        json!(null),
        json!("yes"),
        json!({}),
        json!({ "action": "agree" }),
        json!({ "action": "accept", "content": [] }),
        json!({ "action": "accept", "content": "x" }),
        json!({ "content": { "text": "x" } }),
    ] {
        let answer = call.answer(&first, json!({ "input": response })).await;
        let (code, message) = failed(&answer);
        assert_eq!(code, -32602, "{response}");
        assert!(message.starts_with("Invalid params: `inputResponses.input`: "), "{message}");
    }
    for state in [json!(null), json!(1), json!({}), json!([])] {
        let answer = call.round(json!({ "requestState": state })).await;
        let (code, message) = failed(&answer);
        assert_eq!(code, -32602, "{state}");
        assert!(
            message.starts_with("Invalid params: `params.requestState` must be a string, not "),
            "{message}"
        );
    }
}
