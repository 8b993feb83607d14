//! Rounds that the author keeps in view.

use mcp_tests::client;
use mcp_tests::rounds::{Rounds, accept, asked, ended, failed, keys};
use serde_json::{Value, json};

mod tools {
    use mcp_runtime::InputRequired;
    use mcp_runtime::prelude::*;

    #[derive(Elicit)]
    struct Text {
        #[elicit(length(1..=5))]
        text: String,
    }

    fn greet(ctx: &Context) -> Result<String> {
        match ctx.answer::<Text>("who")? {
            Some(Answer::Accept(who)) => Ok(format!("hello, {} {:?}", who.text, ctx.input_state::<u32>())),
            Some(_) => Ok("hello, whoever you are".to_owned()),
            None => Err(InputRequired::new().elicit::<Text>("who", "Who?").state(ctx.round()).into()),
        }
    }

    #[tool(inline)]
    fn inline(ctx: &Context) -> Result<String> {
        greet(ctx)
    }

    #[tool(blocking)]
    fn blocking(ctx: &Context) -> Result<String> {
        greet(ctx)
    }

    #[tool]
    async fn future(ctx: &Context) -> Result<String> {
        tokio::task::yield_now().await;
        greet(ctx)
    }

    /// Step by step, each under its own key.
    #[tool]
    fn steps(ctx: &Context) -> Result<String> {
        let Some(a) = ctx.answer::<Text>("a")? else {
            return Err(InputRequired::new().elicit::<Text>("a", "a").into());
        };
        let Some(b) = ctx.answer::<Text>("b")? else {
            return Err(InputRequired::new().elicit::<Text>("b", "b").into());
        };
        if ctx.url_answer("page")?.is_none() {
            return Err(InputRequired::new().elicit_url("page", "Go", "https://example.com").into());
        }
        let text = |answer: Answer<Text>| answer.accepted().map_or_else(String::new, |answer| answer.text);
        Ok(text(a) + &text(b))
    }

    /// The same key, until it is "stop".
    #[tool]
    fn again(ctx: &Context) -> Result<String> {
        let mut said = ctx.input_state::<Vec<String>>().unwrap_or_default();
        if let Some(Answer::Accept(answer)) = ctx.answer::<Text>("more")? {
            if answer.text == "stop" {
                return Ok(said.concat());
            }
            said.push(answer.text);
        }
        Err(InputRequired::new().elicit::<Text>("more", "More?").state(said).into())
    }

    /// "If the `InputRequiredResult` does not contain the `inputRequests` field, the client MAY retry the
    /// original request immediately."
    #[tool]
    fn only_state(ctx: &Context) -> std::result::Result<u32, InputRequired> {
        match ctx.input_state::<u32>().unwrap_or_default() {
            3 => Ok(ctx.round()),
            count => Err(InputRequired::new().state(count + 1)),
        }
    }

    #[prompt]
    fn prompt(ctx: &Context) -> Result<String> {
        greet(ctx)
    }

    #[resource("hand://it")]
    fn resource(ctx: &Context) -> Result<String> {
        greet(ctx)
    }
}

fn tools() -> mcp_runtime::testing::Client {
    client(concat!(module_path!(), "::tools"))
}

fn text(text: &str) -> Value {
    accept(json!({ "text": text }))
}

#[tokio::test]
async fn every_kind_of_function_asks_by_hand() {
    let client = tools();
    for name in ["inline", "blocking", "future"] {
        let call = Rounds::call(&client, name, json!({}));
        let first = asked(&call.begin().await);
        assert_eq!(first.requests["who"]["params"]["message"], "Who?");
        assert_eq!(ended(&call.answer(&first, json!({ "who": text("Mona") })).await), "hello, Mona Some(1)");
        // A wrong one, a missing one, then a right one.
        let second = asked(&call.answer(&first, json!({ "who": text("too long") })).await);
        assert_eq!(keys(&second), ["who"]);
        let third = asked(&call.answer(&second, json!({})).await);
        assert_eq!(ended(&call.answer(&third, json!({ "who": text("Lisa") })).await), "hello, Lisa Some(3)");
        let answer = call.answer(&first, json!({ "who": { "action": "explode" } })).await;
        assert_eq!(failed(&answer).0, -32602);
        let answer = call.answer(&first, json!({ "who": { "action": "cancel" } })).await;
        assert_eq!(ended(&answer), "hello, whoever you are");
    }
}

#[tokio::test]
async fn prompts_and_resources_ask_by_hand() {
    let client = tools();
    for (method, params) in
        [("prompts/get", json!({ "name": "prompt" })), ("resources/read", json!({ "uri": "hand://it" }))]
    {
        let call = Rounds::new(&client, method, params);
        let first = asked(&call.begin().await);
        let answer = call.answer(&first, json!({ "who": text("Mona") })).await;
        assert!(answer["result"].to_string().contains("hello, Mona"), "{answer}");
    }
}

#[tokio::test]
async fn later_rounds_find_the_answers_of_all_before() {
    let client = tools();
    let call = Rounds::call(&client, "steps", json!({}));
    let first = asked(&call.begin().await);
    let second = asked(&call.answer(&first, json!({ "a": text("x") })).await);
    assert_eq!(keys(&second), ["b"]);
    let third = asked(&call.answer(&second, json!({ "b": text("y") })).await);
    assert_eq!(keys(&third), ["page"]);
    let answer = call.answer(&third, json!({ "page": { "action": "accept" } })).await;
    assert_eq!(ended(&answer), "xy");
}

#[tokio::test]
async fn a_key_that_is_asked_for_again_forgets_its_answer() {
    let client = tools();
    let call = Rounds::call(&client, "again", json!({}));
    let mut answer = call.begin().await;
    for more in ["a", "b", "c", "stop"] {
        answer = call.answer(&asked(&answer), json!({ "more": text(more) })).await;
    }
    assert_eq!(ended(&answer), "abc");
}

#[tokio::test]
async fn a_state_alone_can_be_brought_back() {
    let client = tools();
    let call = Rounds::call(&client, "only_state", json!({}));
    let mut answer = call.begin().await;
    for _ in 0..3 {
        let round = asked(&answer);
        assert_eq!(round.requests, json!(null));
        answer = call.round(json!({ "requestState": round.state })).await;
    }
    assert_eq!(ended(&answer), "4");
}
