//! Prompts that come and go.

use mcp_runtime::{Change, Completions, Context, DynamicPrompt, Message, Variables};
use serde_json::{Value, json};

use crate::{listed, running};

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Style {
    Plain,
    Formal,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Explain {
    /// The SQL text.
    sql: String,
    style: Option<Style>,
    lines: Option<u32>,
}

fn brief() -> DynamicPrompt {
    let brief = |given: Variables, _: Context| async move {
        format!("{} {:?}", given.get("topic").unwrap_or_default(), given.get("style"))
    };
    DynamicPrompt::new("brief", brief)
        .argument("topic", "What about.")
        .optional_argument("style", "How it sounds.")
        .values("style", ["plain", "formal"])
        .complete("topic", |typed: String, _: Context| async move {
            Completions::matching(&typed, ["monads", "lifetimes"])
        })
}

fn explain() -> DynamicPrompt {
    let explain = |given: Explain, _: Context| async move {
        let style = match given.style {
            Some(Style::Formal) => "formal",
            Some(Style::Plain) | None => "plain",
        };
        vec![Message::user(format!("{} {style} {:?}", given.sql, given.lines))]
    };
    DynamicPrompt::new("explain", explain).description("Explain a query.")
}

async fn completed(
    client: &mcp_runtime::testing::Client,
    prompt: &str,
    argument: &str,
    typed: &str,
) -> Value {
    let params = json!({
        "ref": { "type": "ref/prompt", "name": prompt },
        "argument": { "name": argument, "value": typed },
    });
    client.request("completion/complete", params).await.unwrap()["completion"]["values"].clone()
}

/// `Prompt` (server/prompts, Data Types).
#[tokio::test]
async fn a_prompt_is_there_until_it_is_removed() {
    let (client, handle, published) = running();
    handle.add_prompt(brief()).unwrap();
    handle.add_prompt(explain()).unwrap();
    assert_eq!(published.take(), [Change::Prompts, Change::Prompts]);
    assert_eq!(
        client.list("prompts").await.unwrap(),
        [
            json!({ "name": "audit" }),
            json!({
                "name": "brief",
                "arguments": [
                    { "name": "topic", "description": "What about.", "required": true },
                    { "name": "style", "description": "How it sounds.", "required": false },
                ],
            }),
            json!({
                "name": "explain",
                "description": "Explain a query.",
                "arguments": [
                    { "name": "sql", "description": "The SQL text.", "required": true },
                    { "name": "style", "required": false },
                    { "name": "lines", "required": false },
                ],
            }),
        ]
    );
    assert!(handle.remove_prompt("brief"));
    assert!(!handle.remove_prompt("brief"));
    assert!(!handle.remove_prompt("audit"));
    assert_eq!(published.take(), [Change::Prompts]);
    assert_eq!(listed(&client, "prompts").await, ["audit", "explain"]);
    let error = client.prompt("brief", json!({ "topic": "x" })).await.unwrap_err();
    assert_eq!((error.code(), error.message()), (-32602, "Unknown prompt: brief"));
}

#[tokio::test]
async fn arguments_come_as_text_and_are_typed() {
    let (client, handle, _) = running();
    handle.add_prompt(brief()).unwrap();
    handle.add_prompt(explain()).unwrap();
    for (name, arguments, text) in [
        ("brief", json!({ "topic": "monads" }), "monads None"),
        ("brief", json!({ "topic": "5", "style": "plain" }), "5 Some(\"plain\")"),
        ("explain", json!({ "sql": "17", "style": "formal", "lines": "3" }), "17 formal Some(3)"),
        (
            "explain",
            json!({ "sql": "SELECT \"a\"", "lines": 3, "style": null }),
            "SELECT \"a\" plain Some(3)",
        ),
    ] {
        let result = client.prompt(name, arguments).await.unwrap();
        assert_eq!(result.messages[0].content.as_text(), Some(text));
    }
    for (name, arguments, faults) in [
        ("brief", json!({ "style": "loud" }), ["`topic`: missing", "`style`: got \"loud\""]),
        ("explain", json!({ "style": "loud" }), ["`sql`: missing", "`style`: got \"loud\""]),
        ("explain", json!({ "sql": "x", "style": "loud", "lines": "-1" }), ["`style`", "`lines`: got -1"]),
    ] {
        let error = client.prompt(name, arguments).await.unwrap_err();
        assert_eq!(error.code(), -32602);
        for fault in faults {
            assert!(error.message().contains(fault), "{error} lacks {fault}");
        }
    }
}

#[tokio::test]
async fn enums_and_functions_complete() {
    let (client, handle, _) = running();
    handle.add_prompt(brief()).unwrap();
    handle.add_prompt(explain()).unwrap();
    assert_eq!(completed(&client, "brief", "style", "f").await, json!(["formal"]));
    assert_eq!(completed(&client, "brief", "topic", "life").await, json!(["lifetimes"]));
    assert_eq!(completed(&client, "explain", "style", "pl").await, json!(["plain"]));
    assert_eq!(completed(&client, "explain", "sql", "S").await, json!([]));
}
