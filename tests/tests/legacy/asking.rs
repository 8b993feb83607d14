//! Asking the client while the call waits: the same functions as in the rounds of the current revision.

#![expect(deprecated, reason = "sampling and roots are deprecated, and work")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::prelude::*;
use mcp_runtime::{InputRequired, Sample, Server};
use serde_json::{Value, json};

use crate::wire::Wire;

/// How often functions began.
#[derive(Default)]
struct Runs(AtomicUsize);

#[derive(Elicit)]
struct Name {
    #[elicit(length(1..=10))]
    name: String,
}

/// Greet the person.
#[tool]
async fn greet(ctx: &Context, runs: State<Runs>) -> Result<String> {
    let run = runs.0.fetch_add(1, Ordering::Relaxed) + 1;
    let first = ctx.once("first", async || Ok::<_, std::convert::Infallible>("hello".to_owned())).await?;
    Ok(match ctx.elicit::<Name>("Who are you?").await? {
        Answer::Accept(who) => format!("{first}, {} ({run}, {})", who.name, ctx.round()),
        Answer::Decline => "declined".to_owned(),
        Answer::Cancel => "cancelled".to_owned(),
    })
}

/// Ask for everything at once.
#[tool]
async fn everything(ctx: &Context) -> Result<String> {
    let (who, said, roots) = tokio::join!(
        ctx.elicit::<Name>("Who are you?"),
        ctx.sample(Sample::new("Say hello", 10)),
        ctx.roots(),
    );
    let who = who?.accepted().map(|who| who.name);
    Ok(format!("{who:?} {} {}", said?.text(), roots?.len()))
}

/// Send the person to a page.
#[tool]
async fn page(ctx: &Context) -> Result<String> {
    Ok(format!("{:?}", ctx.elicit_url("Log in.", "https://example.com/login").await?))
}

/// Ask without waiting.
#[tool]
fn by_hand(ctx: &Context) -> Result<String> {
    let tries: u32 = ctx.input_state().unwrap_or(0);
    match ctx.answer::<Name>("who")? {
        Some(Answer::Accept(who)) if tries < 2 => {
            let again = format!("Really {}?", who.name);
            Err(InputRequired::new().elicit::<Name>("who", again).state(tries + 1).into())
        }
        Some(Answer::Accept(who)) => Ok(format!("{} after {tries}", who.name)),
        Some(_) => Ok("nobody".to_owned()),
        None => Err(InputRequired::new().elicit::<Name>("who", "Who?").state(tries + 1).into()),
    }
}

/// Give up on an answer.
#[tool]
async fn impatient(ctx: &Context) -> Result<&'static str> {
    tokio::select! {
        answer = ctx.elicit::<Name>("Quick!") => answer.map(|_| "answered").map_err(Into::into),
        () = tokio::task::yield_now() => Ok("too slow"),
    }
}

fn server() -> Server {
    mcp_tests::server(module_path!()).state(Runs::default())
}

async fn open(revision: &str) -> Wire {
    let capabilities = json!({ "elicitation": { "form": {}, "url": {} }, "sampling": {}, "roots": {} });
    Wire::open(server(), revision, capabilities).await
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

fn accepted(name: &str) -> Value {
    json!({ "action": "accept", "content": { "name": name } })
}

#[tokio::test]
async fn the_function_goes_on_with_the_answer() {
    for revision in ["2025-06-18", "2025-11-25"] {
        let mut wire = open(revision).await;
        for (run, (answer, said)) in [
            (accepted("Ada"), "hello, Ada (1, 1)"),
            (json!({ "action": "decline" }), "declined"),
            (json!({ "action": "cancel" }), "cancelled"),
        ]
        .into_iter()
        .enumerate()
        {
            wire.start(10 + run as u64, "greet", json!({})).await;
            let question = wire.next().await;
            assert_eq!(question["method"], "elicitation/create");
            assert_eq!(question["params"]["message"], "Who are you?");
            assert_eq!(question["params"]["requestedSchema"]["required"], json!(["name"]));
            let has_mode = question["params"].get("mode").is_some();
            assert_eq!(has_mode, revision == "2025-11-25", "{question}");
            wire.answer(&question, answer).await;
            assert_eq!(text(&wire.next().await), said);
        }
    }
}

#[tokio::test]
async fn an_answer_that_does_not_fit_is_asked_for_again() {
    let mut wire = open("2025-11-25").await;
    wire.start(1, "greet", json!({})).await;
    let question = wire.next().await;
    wire.answer(&question, accepted("a name that is too long")).await;
    let again = wire.next().await;
    assert_ne!(question["id"], again["id"]);
    assert!(again["params"]["message"].as_str().unwrap().starts_with("Who are you?\n\n"), "{again}");
    // An answer that comes twice is of no effect.
    wire.answer(&question, accepted("Eve")).await;
    wire.answer(&again, accepted("Ada")).await;
    assert_eq!(text(&wire.next().await), "hello, Ada (1, 1)");
}

#[tokio::test]
async fn several_questions_are_out_at_once() {
    let mut wire = open("2025-11-25").await;
    wire.start(1, "everything", json!({})).await;
    let mut questions = [wire.next().await, wire.next().await, wire.next().await];
    questions.reverse();
    for question in questions {
        let answer = match question["method"].as_str().unwrap() {
            "elicitation/create" => accepted("Ada"),
            "sampling/createMessage" => json!({
                "role": "assistant", "model": "m", "content": { "type": "text", "text": "hi" },
            }),
            "roots/list" => json!({ "roots": [{ "uri": "file:///a" }] }),
            other => panic!("{other}"),
        };
        wire.answer(&question, answer).await;
    }
    assert_eq!(text(&wire.next().await), r#"Some("Ada") hi 1"#);
}

#[tokio::test]
async fn a_page_has_an_id_and_an_end() {
    let mut wire = open("2025-11-25").await;
    wire.start(1, "page", json!({})).await;
    let question = wire.next().await;
    let id = &question["params"]["elicitationId"];
    assert!(id.as_str().is_some_and(|id| id.len() >= 16), "{question}");
    wire.answer(&question, json!({ "action": "accept" })).await;
    let complete = wire.next().await;
    assert_eq!(complete["method"], "notifications/elicitation/complete");
    assert_eq!(complete["params"], json!({ "elicitationId": id }));
    assert_eq!(text(&wire.next().await), "Accept(())");
}

#[tokio::test]
async fn a_function_that_asks_by_hand_is_run_again() {
    let mut wire = open("2025-11-25").await;
    wire.start(1, "by_hand", json!({})).await;
    for (message, name) in [("Who?", "Ada"), ("Really Ada?", "Grace")] {
        let question = wire.next().await;
        assert_eq!(question["params"]["message"], message);
        wire.answer(&question, accepted(name)).await;
    }
    assert_eq!(text(&wire.next().await), "Grace after 2");
}

/// "Issue a cancellation notification for that request and stop waiting for a response" (basic/lifecycle, Timeouts).
#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_answer_is_waited_for_no_longer() {
    let server = server().ask_timeout(Duration::from_secs(3));
    let mut wire = Wire::open(server, "2025-11-25", json!({ "elicitation": {} })).await;
    for tool in ["greet", "by_hand"] {
        wire.start(1, tool, json!({})).await;
        let question = wire.next().await;
        let cancelled = wire.next().await;
        assert_eq!(cancelled["method"], "notifications/cancelled", "{cancelled}");
        assert_eq!(cancelled["params"]["requestId"], question["id"]);
        let answer = wire.next().await;
        let message = answer["error"]["message"].as_str().unwrap_or_else(|| panic!("{answer}"));
        assert_eq!(message, "The client did not answer `elicitation/create` within 3s");
        // Too late.
        wire.answer(&question, accepted("Ada")).await;
    }
}

#[tokio::test]
async fn a_client_that_cannot_answer_says_why() {
    let mut wire = open("2025-11-25").await;
    for tool in ["greet", "by_hand"] {
        wire.start(1, tool, json!({})).await;
        let question = wire.next().await;
        let error = json!({ "code": -1, "message": "the person is away" });
        wire.send(json!({ "jsonrpc": "2.0", "id": question["id"], "error": error })).await;
        let answer = wire.next().await;
        assert_eq!(answer["error"]["code"], -32603, "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains("the person is away"), "{answer}");
    }
}

/// A question whose call is cancelled is taken back; one that nobody waits for any more, too.
#[tokio::test]
async fn questions_are_withdrawn() {
    let mut wire = open("2025-11-25").await;
    for tool in ["greet", "by_hand"] {
        wire.start(1, tool, json!({})).await;
        let question = wire.next().await;
        wire.send(
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }),
        )
        .await;
        let withdrawn = wire.next().await;
        assert_eq!(withdrawn["method"], "notifications/cancelled", "{withdrawn}");
        assert_eq!(withdrawn["params"]["requestId"], question["id"]);
        assert_eq!(wire.result("ping", json!({})).await, json!({}));
    }
    wire.start(2, "impatient", json!({})).await;
    let mut seen = Vec::new();
    loop {
        let message = wire.next().await;
        if message["id"] == 2 {
            assert_eq!(text(&message), "too slow");
            break;
        }
        seen.push(message["method"].clone());
    }
    assert!(seen.is_empty() || seen == ["elicitation/create", "notifications/cancelled"], "{seen:?}");
}

#[tokio::test]
async fn what_the_client_cannot_do_is_not_asked_of_it() {
    for (revision, capabilities) in [
        ("2025-11-25", json!({})),
        // Elicitation came with 2025-06-18.
        ("2025-03-26", json!({ "elicitation": {} })),
    ] {
        let mut wire = Wire::open(server(), revision, capabilities).await;
        let error = wire.error("tools/call", json!({ "name": "greet" })).await;
        assert_eq!(error["code"], -32600, "{error}");
        assert!(error["message"].as_str().unwrap().contains("elicitation"), "{error}");
    }
}

/// At the end of the input no answer will come: nobody waits for one.
#[tokio::test(start_paused = true)]
async fn the_end_of_the_input_ends_the_waiting() {
    let mut wire = open("2025-11-25").await;
    wire.start(1, "greet", json!({})).await;
    wire.next().await;
    let began = tokio::time::Instant::now();
    let rest = wire.close().await;
    let answer = rest.iter().find(|message| message["id"] == 1).unwrap_or_else(|| panic!("{rest:?}"));
    assert_eq!(answer["error"]["code"], -32603);
    assert!(began.elapsed() < Duration::from_secs(1));
}
