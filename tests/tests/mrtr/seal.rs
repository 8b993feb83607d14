//! `requestState`: "servers MUST treat `requestState` as an attacker-controlled input".

use std::time::Duration;

use mcp_runtime::testing::Client;
use mcp_runtime::{MemorySealStore, Server};
use mcp_tests::logs::Logs;
use mcp_tests::rounds::{Asked, Rounds, accept, asked, ended, failed};
use mcp_tests::server;
use serde_json::{Value, json};

mod tools {
    use mcp_runtime::prelude::*;
    use serde_json::Value;

    #[derive(Elicit)]
    struct Sure {
        sure: bool,
    }

    async fn sure(ctx: &Context) -> Result<String> {
        let sure = ctx.elicit::<Sure>("Sure?").await?.accepted().is_some_and(|answer| answer.sure);
        Ok(format!("sure: {sure}"))
    }

    #[tool]
    async fn delete(what: Option<Value>, how: Option<Value>, ctx: &Context) -> Result<String> {
        let _ = (what, how);
        sure(ctx).await
    }

    #[tool]
    async fn other(what: Option<Value>, how: Option<Value>, ctx: &Context) -> Result<String> {
        let _ = (what, how);
        sure(ctx).await
    }

    #[tool]
    async fn pay(amount: u128, ctx: &Context) -> Result<String> {
        Ok(format!("{amount}, {}", sure(ctx).await?))
    }

    #[prompt(name = "delete")]
    async fn prompt(what: Option<String>, ctx: &Context) -> Result<String> {
        let _ = what;
        sure(ctx).await
    }

    #[resource("rows://{id}")]
    async fn row(id: u8, ctx: &Context) -> Result<String> {
        let _ = id;
        sure(ctx).await
    }
}

const A: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const B: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff";
const REFUSED: (i64, &str) =
    (-32602, "Invalid params: `requestState` is not valid for this request; start again without it");

fn tools() -> Server {
    server(concat!(module_path!(), "::tools"))
}

fn start(server: Server) -> Client {
    Client::new(server).expect("it starts")
}

fn sure() -> Value {
    json!({ "input": accept(json!({ "sure": true })) })
}

async fn begin(client: &Client, arguments: Value) -> Asked {
    asked(&Rounds::call(client, "delete", arguments).begin().await)
}

/// "Servers MUST reject state that fails verification", and say nothing about why.
#[tokio::test]
async fn a_changed_state_is_refused() {
    let client = start(tools());
    let (logs, _guard) = Logs::begin();
    let call = Rounds::call(&client, "delete", json!({}));
    let first = asked(&call.begin().await);
    let state = first.state.as_str().expect("a string");
    let mut changed: Vec<String> = (0..state.len())
        .map(|at| {
            let other = if &state[at..=at] == "A" { "B" } else { "A" };
            format!("{}{other}{}", &state[..at], &state[at + 1..])
        })
        .collect();
    changed.extend((0..state.len()).map(|length| state[..length].to_owned()));
    changed.extend([
        format!("{state}A"),
        format!("{state}="),
        format!(" {state}"),
        "é".repeat(40),
        "{}".to_owned(),
    ]);
    for changed in changed {
        let answer = call.answer(&Asked { state: json!(changed), ..first.clone() }, sure()).await;
        assert_eq!(failed(&answer), REFUSED, "{changed}");
        assert_eq!(answer["error"].get("data"), None);
    }
    assert!(logs.text().contains("a requestState was refused: it was changed"), "{}", logs.text());
    assert_eq!(ended(&call.answer(&first, sure()).await), "sure: true");
}

/// "An identifier for the originating request, e.g. the method name and a digest of its salient parameters".
#[tokio::test]
async fn a_state_belongs_to_its_request() {
    let client = start(tools());
    let first = begin(&client, json!({ "what": "a" })).await;
    for (method, params) in [
        ("tools/call", json!({ "name": "delete", "arguments": { "what": "b" } })),
        ("tools/call", json!({ "name": "delete", "arguments": { "what": "a", "how": null } })),
        ("tools/call", json!({ "name": "delete", "arguments": { "how": "a" } })),
        ("tools/call", json!({ "name": "delete", "arguments": {} })),
        ("tools/call", json!({ "name": "delete" })),
        ("tools/call", json!({ "name": "other", "arguments": { "what": "a" } })),
        ("prompts/get", json!({ "name": "delete", "arguments": { "what": "a" } })),
        ("resources/read", json!({ "uri": "rows://1" })),
    ] {
        let answer = Rounds::new(&client, method, params.clone()).answer(&first, sure()).await;
        assert_eq!(failed(&answer), REFUSED, "{method} {params}");
    }
    let row = Rounds::new(&client, "resources/read", json!({ "uri": "rows://1" }));
    let first = asked(&row.begin().await);
    let other = Rounds::new(&client, "resources/read", json!({ "uri": "rows://2" }));
    assert_eq!(failed(&other.answer(&first, sure()).await), REFUSED);
    assert!(row.answer(&first, sure()).await["result"].to_string().contains("sure: true"));
}

/// A member that the method does not look at is not its target.
#[tokio::test]
async fn a_state_of_a_resource_belongs_to_its_uri() {
    let client = start(tools());
    let row = |uri: &str| Rounds::new(&client, "resources/read", json!({ "uri": uri, "name": "rows://1" }));
    let first = asked(&row("rows://1").begin().await);
    assert_eq!(failed(&row("rows://2").answer(&first, sure()).await), REFUSED);
    assert!(row("rows://1").answer(&first, sure()).await["result"].to_string().contains("sure: true"));
}

/// Integers beyond 64 bits are told apart.
#[tokio::test]
async fn a_state_belongs_to_every_digit_of_an_argument() {
    let client = start(tools());
    let send = async |amount: &str, more: &str| {
        let message = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"pay","arguments":{{"amount":{amount}}},
            "_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":{{"elicitation":{{}}}}}}{more}}}}}"#
        );
        client.send(message.replace('\n', " ")).await.pop().expect("an answer")
    };
    let first = asked(&send("18446744073709551616", "").await);
    let more = format!(r#","requestState":{},"inputResponses":{}"#, first.state, sure());
    assert_eq!(failed(&send("18446744073709551617", &more).await), REFUSED);
    assert_eq!(ended(&send("18446744073709551616", &more).await), "18446744073709551616, sure: true");
}

/// Key order, white space and the spelling of numbers are no difference.
#[tokio::test]
async fn equal_arguments_are_the_same_request() {
    let client = start(tools());
    let send = async |arguments: &str, more: &str| {
        let message = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"delete","arguments":{arguments},
            "_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":{{"elicitation":{{}}}}}}{more}}}}}"#
        );
        client.send(message.replace('\n', " ")).await.pop().expect("an answer")
    };
    let first = asked(&send(r#"{"what":{"a":[1,2.5,1e3],"b":"é"},"how":-7}"#, "").await);
    let more = format!(r#","requestState":{},"inputResponses":{}"#, first.state, sure());
    for equal in [
        r#"{"how":-7,"what":{"b":"é","a":[1,2.5,1000]}}"#,
        r#"{ "how" : -7.0, "what" : { "b" : "é", "a" : [ 1.0, 25e-1, 1000.0 ] } }"#,
    ] {
        assert_eq!(ended(&send(equal, &more).await), "sure: true", "{equal}");
    }
    for other in [
        r#"{"how":-7,"what":{"b":"é","a":[2.5,1,1000]}}"#,
        r#"{"how":"-7","what":{"b":"é","a":[1,2.5,1000]}}"#,
        r#"{"how":-7,"what":{"b":"e","a":[1,2.5,1000]}}"#,
        r#"{"how":-7,"what":{"b":"é","a":[1,2.5,1000],"c":null}}"#,
    ] {
        assert_eq!(failed(&send(other, &more).await), REFUSED, "{other}");
    }
}

/// "A short expiry (TTL), rejecting state presented after it lapses".
#[tokio::test]
async fn an_expired_state_is_refused() {
    let (logs, _guard) = Logs::begin();
    let client = start(tools().seal_ttl(Duration::ZERO));
    let first = begin(&client, json!({})).await;
    let answer = Rounds::call(&client, "delete", json!({})).answer(&first, sure()).await;
    assert_eq!(failed(&answer), REFUSED);
    assert!(logs.text().contains("it has expired"), "{}", logs.text());

    // A part of a second is not nothing, and for ever is not an overflow.
    for ttl in [Duration::from_millis(900), Duration::MAX] {
        let client = start(tools().seal_ttl(ttl).seal_store(MemorySealStore::new()));
        let first = begin(&client, json!({})).await;
        let answer = Rounds::call(&client, "delete", json!({})).answer(&first, sure()).await;
        assert_eq!(ended(&answer), "sure: true", "{ttl:?}");
    }
}

#[tokio::test]
async fn servers_without_a_shared_key_are_strangers() {
    let (one, other) = (start(tools()), start(tools()));
    let first = begin(&one, json!({})).await;
    let answer = Rounds::call(&other, "delete", json!({})).answer(&first, sure()).await;
    assert_eq!(failed(&answer), REFUSED);
}

/// "A shared key from the environment makes any instance able to resume what another began, and supports
/// rotation."
#[tokio::test]
async fn keys_are_shared_and_rotated() {
    let old = start(tools().seal_keys(A));
    let both = start(tools().seal_keys(format!("{B}, {A}")));
    let new = start(tools().seal_keys(B));
    let opens = async |client: &Client, first: &Asked| {
        let answer = Rounds::call(client, "delete", json!({})).answer(first, sure()).await;
        if answer.get("error").is_some() {
            assert_eq!(failed(&answer), REFUSED);
            return false;
        }
        ended(&answer) == "sure: true"
    };
    let first = begin(&old, json!({})).await;
    assert_eq!(
        (opens(&old, &first).await, opens(&both, &first).await, opens(&new, &first).await),
        (true, true, false)
    );
    let first = begin(&both, json!({})).await;
    assert_eq!(
        (opens(&old, &first).await, opens(&both, &first).await, opens(&new, &first).await),
        (false, true, true)
    );
}

/// "Servers for which a given `requestState` must be consumed at most once […] MUST enforce that invariant
/// server-side."
#[tokio::test]
async fn a_store_lets_each_state_be_used_once() {
    let (logs, _guard) = Logs::begin();
    let client = start(tools().seal_store(MemorySealStore::new()));
    let call = Rounds::call(&client, "delete", json!({}));
    let first = asked(&call.begin().await);
    // What is malformed, or somebody else's, does not use it up.
    let answer = call.answer(&first, json!([])).await;
    assert_eq!(failed(&answer).0, -32602);
    let other = Rounds::call(&client, "other", json!({}));
    assert_eq!(failed(&other.answer(&first, sure()).await), REFUSED);
    assert_eq!(ended(&call.answer(&first, sure()).await), "sure: true");
    assert_eq!(failed(&call.answer(&first, sure()).await), REFUSED);
    assert!(logs.text().contains("a requestState was presented a second time"), "{}", logs.text());
    // Two at the same time: one of them.
    let first = asked(&call.begin().await);
    let (one, two) = tokio::join!(call.answer(&first, sure()), call.answer(&first, sure()));
    let refused = [&one, &two].iter().filter(|answer| answer.get("error").is_some()).count();
    assert_eq!(refused, 1, "{one} {two}");
}

/// The state says nothing to its bearer.
#[tokio::test]
async fn a_state_cannot_be_read() {
    let client = start(tools().seal_keys(A));
    let (one, two) = (begin(&client, json!({})).await, begin(&client, json!({})).await);
    assert_ne!(one.state, two.state);
    let state = one.state.as_str().expect("a string");
    assert!(state.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "{state}");
}
