//! Errors in boxes that hide what they hold, as `anyhow` makes them (server/tools, Error Handling).

use anyhow::Context as _;
use mcp_runtime::prelude::*;
use mcp_runtime::testing::Client;
use mcp_runtime::{Error, InputRequired};
use serde_json::json;

#[derive(Elicit)]
struct Name {
    name: String,
}

/// Fail with a text and its cause.
#[tool]
fn plain() -> anyhow::Result<String> {
    let number: u8 = "12x".parse().context("the number of the house is wrong")?;
    Ok(number.to_string())
}

/// Fail with a protocol error.
#[tool]
fn protocol() -> anyhow::Result<String> {
    Err(Error::new(7, "not here").into())
}

/// Fail because of a protocol error.
#[tool]
fn caused() -> anyhow::Result<String> {
    Err(Error::new(7, "not here")).context("looking it up")
}

/// Ask by hand.
#[tool]
fn asks(ctx: &Context) -> anyhow::Result<String> {
    match ctx.answer::<Name>("who")? {
        Some(Answer::Accept(who)) => Ok(who.name),
        Some(_) => Ok("nobody".to_owned()),
        None => Err(InputRequired::new().elicit::<Name>("who", "Who?").into()),
    }
}

fn client() -> Client {
    let client = Client::new(Server::new()).expect("nothing is wrong with it");
    client.capabilities(json!({ "elicitation": {} }))
}

#[tokio::test]
async fn an_error_is_told_with_its_causes() {
    let result = client().call("plain", json!({})).await.expect("a result");
    assert!(result.is_error);
    assert_eq!(result.text(), "the number of the house is wrong: invalid digit found in string");
}

#[tokio::test]
async fn a_protocol_error_inside_is_found() {
    for tool in ["protocol", "caused"] {
        let error = client().call(tool, json!({})).await.expect_err("a JSON-RPC error");
        assert_eq!((error.code(), error.message()), (7, "not here"), "{tool}");
    }
}

#[tokio::test]
async fn a_request_for_input_inside_is_found() {
    let name = json!({ "action": "accept", "content": { "name": "mona" } });
    let result = client().call("asks", json!({})).answer("who", name).await.expect("a result");
    assert_eq!(result.text(), "mona");
}
