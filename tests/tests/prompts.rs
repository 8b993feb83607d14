//! server/prompts: listing prompts and getting them.

use mcp_runtime::testing::Client;
use mcp_tests::{client, error, listed, names, result};
use serde_json::{Value, json};

#[allow(clippy::unused_async, reason = "each form that an author may write")]
mod prompts {
    use std::fmt;
    use std::str::FromStr;

    use mcp_runtime::prelude::*;
    use mcp_runtime::{Error, PromptResult};
    use schemars::JsonSchema;
    use serde::Deserialize;

    /// Asks the LLM to analyze code quality and suggest improvements.
    #[prompt(
        title = "Request Code Review",
        icon("https://example.com/review-icon.svg", mime = "image/svg+xml", sizes("any")),
        meta("com.example/team" = "quality")
    )]
    fn code_review(
        /// The code to review.
        code: String,
        language: Option<String>,
        #[arg(default = "kind", description = "How to say it.")] tone: &str,
    ) -> String {
        format!("Please review this {} code, be {tone}:\n{code}", language.as_deref().unwrap_or("Python"))
    }

    #[prompt]
    fn message() -> Message {
        Message::assistant("I am the model.")
    }

    #[prompt]
    #[allow(clippy::unused_async, reason = "how an `async` function is served")]
    async fn shots() -> Vec<Message> {
        vec![Message::user("2 + 2?"), Message::assistant("4"), Message::user(Image::png([1]))]
    }

    #[prompt]
    fn array() -> [Message; 2] {
        [
            Message::user(Audio::wav([1])),
            Message::user(
                ResourceContents::text("resource://example", "Resource content").mime_type("text/plain"),
            ),
        ]
    }

    #[prompt]
    fn content() -> Content {
        ResourceLink::new("file:///project/src/main.rs").into()
    }

    /// The prompt's own words.
    #[prompt]
    fn described(which: &str) -> PromptResult {
        PromptResult { description: Some(format!("About {which}")), messages: vec![Message::user("x")] }
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    pub(crate) enum Style {
        /// In few words.
        Terse,
        /// In many.
        VeryLong,
    }

    /// Red, green and blue.
    #[derive(Debug)]
    #[allow(dead_code, reason = "read by `Debug`")]
    pub(crate) struct Color(u8, u8, u8);

    #[derive(Debug)]
    pub(crate) struct NoColor;

    impl fmt::Display for NoColor {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("write a color as #rrggbb")
        }
    }

    impl FromStr for Color {
        type Err = NoColor;

        fn from_str(text: &str) -> Result<Self, NoColor> {
            let hex = text.strip_prefix('#').filter(|hex| hex.len() == 6 && hex.is_ascii()).ok_or(NoColor)?;
            let part = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).map_err(|_| NoColor);
            Ok(Self(part(0)?, part(2)?, part(4)?))
        }
    }

    #[prompt]
    fn typed(
        count: u32,
        #[arg(range(0.0..=1.0))] ratio: f64,
        flag: bool,
        style: Style,
        color: Color,
        maybe: Option<i64>,
        letter: char,
    ) -> String {
        format!("{count} {ratio} {flag} {style:?} {color:?} {maybe:?} {letter}")
    }

    #[prompt]
    fn list(tags: Vec<String>) -> String {
        format!("{tags:?}")
    }

    #[prompt]
    fn fails(how: &str) -> Result<String> {
        match how {
            "protocol" => Err(Error::invalid_params("not like this").into()),
            _ => Err(format!("cannot {how}").into()),
        }
    }

    #[prompt(timeout = "20ms")]
    async fn never() -> String {
        std::future::pending().await
    }
}

fn prompts() -> Client {
    client("prompts::prompts")
}

async fn get(client: &Client, name: &str, arguments: Value) -> Value {
    result(client, "prompts/get", json!({ "name": name, "arguments": arguments })).await
}

async fn text(client: &Client, name: &str, arguments: Value) -> String {
    let result = get(client, name, arguments).await;
    let text = result["messages"][0]["content"]["text"].as_str().unwrap_or_default().to_owned();
    assert_eq!(result["messages"], json!([{ "role": "user", "content": { "type": "text", "text": text } }]));
    text
}

/// Prompt: everything that its author says; an argument is required unless there is a value without it.
#[tokio::test]
async fn a_prompt_is_listed_with_all_that_its_author_says() {
    let client = prompts();
    assert_eq!(
        listed(&client, "prompts", "code_review").await,
        json!({
            "name": "code_review",
            "title": "Request Code Review",
            "description": "Asks the LLM to analyze code quality and suggest improvements.",
            "arguments": [
                { "name": "code", "description": "The code to review.", "required": true },
                { "name": "language", "required": false },
                { "name": "tone", "description": "How to say it.", "required": false },
            ],
            "icons": [{
                "src": "https://example.com/review-icon.svg", "mimeType": "image/svg+xml", "sizes": ["any"],
            }],
            "_meta": { "com.example/team": "quality" },
        })
    );
    assert_eq!(listed(&client, "prompts", "message").await, json!({ "name": "message" }));
    assert_eq!(
        names(&client, "prompts").await,
        [
            "array",
            "code_review",
            "content",
            "described",
            "fails",
            "list",
            "message",
            "never",
            "shots",
            "typed"
        ]
    );
}

/// Getting a Prompt: the description, and one message of the user for text.
#[tokio::test]
async fn text_is_a_message_of_the_user() {
    let client = prompts();
    let code = "def hello():\n    print('world')";
    assert_eq!(
        get(&client, "code_review", json!({ "code": code })).await,
        json!({
            "description": "Asks the LLM to analyze code quality and suggest improvements.",
            "messages": [{ "role": "user", "content": {
                "type": "text",
                "text": "Please review this Python code, be kind:\ndef hello():\n    print('world')",
            } }],
        })
    );
    assert_eq!(
        text(&client, "code_review", json!({ "code": "x", "language": "Rust", "tone": "harsh" })).await,
        "Please review this Rust code, be harsh:\nx"
    );
}

/// `PromptMessage`: roles, and every type of content.
#[tokio::test]
async fn messages_have_roles_and_content_of_every_type() {
    let client = prompts();
    let says = |role: &str, text: &str| json!({ "role": role, "content": { "type": "text", "text": text } });
    for (name, messages) in [
        ("message", json!([says("assistant", "I am the model.")])),
        (
            "shots",
            json!([
                says("user", "2 + 2?"),
                says("assistant", "4"),
                { "role": "user", "content": { "type": "image", "data": "AQ==", "mimeType": "image/png" } },
            ]),
        ),
        (
            "array",
            json!([
                { "role": "user", "content": { "type": "audio", "data": "AQ==", "mimeType": "audio/wav" } },
                { "role": "user", "content": { "type": "resource", "resource": {
                    "uri": "resource://example", "mimeType": "text/plain", "text": "Resource content",
                } } },
            ]),
        ),
        (
            "content",
            json!([{ "role": "user", "content": {
                "type": "resource_link", "uri": "file:///project/src/main.rs", "name": "main.rs",
            } }]),
        ),
    ] {
        assert_eq!(get(&client, name, json!({})).await, json!({ "messages": messages }), "{name}");
    }
    assert_eq!(
        get(&client, "described", json!({ "which": "cats" })).await,
        json!({ "description": "About cats", "messages": [says("user", "x")] })
    );
}

/// Getting a Prompt: arguments are strings on the wire, and typed in Rust.
#[tokio::test]
async fn string_arguments_are_typed() {
    let client = prompts();
    let strings = json!({
        "count": "3", "ratio": "0.5", "flag": "true", "style": "very-long", "color": "#ff8000", "letter": "\"",
    });
    let expected = "3 0.5 true VeryLong Color(255, 128, 0) None \"";
    assert_eq!(text(&client, "typed", strings.clone()).await, expected);
    let mut with_option = strings;
    with_option["maybe"] = json!("-1");
    assert_eq!(
        text(&client, "typed", with_option).await,
        "3 0.5 true VeryLong Color(255, 128, 0) Some(-1) \""
    );
    let escaped = json!({ "code": "a \"quoted\" \\ \u{1f600}" });
    assert_eq!(
        text(&client, "code_review", escaped).await,
        "Please review this Python code, be kind:\na \"quoted\" \\ \u{1f600}"
    );
}

/// What clients send beside strings: null is "not given", and a bare number or boolean is its text.
#[tokio::test]
async fn bare_scalars_and_nulls_are_understood() {
    let client = prompts();
    let bare = json!({
        "count": 3, "ratio": 0.5, "flag": true, "style": "terse", "color": "#000000", "maybe": null, "letter": "x",
    });
    assert_eq!(text(&client, "typed", bare).await, "3 0.5 true Terse Color(0, 0, 0) None x");
    assert_eq!(
        text(&client, "code_review", json!({ "code": "x", "language": null, "tone": null })).await,
        "Please review this Python code, be kind:\nx"
    );
    assert_eq!(
        text(&client, "code_review", json!({ "code": 12 })).await,
        "Please review this Python code, be kind:\n12"
    );
}

/// A list among the arguments is JSON in a string.
#[tokio::test]
async fn a_list_is_json_in_a_string() {
    assert_eq!(text(&prompts(), "list", json!({ "tags": "[\"a\", \"b\"]" })).await, "[\"a\", \"b\"]");
}

/// Error Handling: "Missing required arguments: `-32602` (Invalid params)", all of them in one answer.
#[tokio::test]
async fn wrong_arguments_are_invalid_params() {
    let client = prompts();
    let params = |arguments: Value| json!({ "name": "typed", "arguments": arguments });
    assert_eq!(
        error(
            &client,
            "prompts/get",
            params(json!({ "count": "-1", "ratio": "2", "flag": "yes", "style": "ters", "color": "red" }))
        )
        .await,
        json!({ "code": -32602, "message": "The call to `typed` has 6 bad arguments:\n\
            - argument `count`: got -1, expected an integer of at least 0\n\
            - argument `ratio`: got 2, expected a number from 0.0 to 1.0\n\
            - argument `flag`: got \"yes\", expected true or false\n\
            - argument `style`: got \"ters\", expected one of \"terse\", \"very-long\"; did you mean \"terse\"?\n\
            - argument `color`: got \"red\", expected a string; write a color as #rrggbb\n\
            - argument `letter`: missing, expected a string of exactly 1 character" })
    );
    assert_eq!(
        error(&client, "prompts/get", json!({ "name": "code_review" })).await,
        json!({ "code": -32602, "message": "The call to `code_review` has a bad argument:\n\
            - argument `code`: missing, expected a string (The code to review)" })
    );
}

/// Error Handling: "Invalid prompt name: `-32602`".
#[tokio::test]
async fn an_unknown_prompt_is_invalid_params() {
    let client = prompts();
    for (params, message) in [
        (json!({ "name": "code_revue" }), "Unknown prompt: code_revue; did you mean `code_review`?"),
        (json!({ "name": "xyzzyx" }), "Unknown prompt: xyzzyx"),
        (json!({}), "Invalid params: `params.name` is missing"),
    ] {
        assert_eq!(
            error(&client, "prompts/get", params).await,
            json!({ "code": -32602, "message": message })
        );
    }
}

/// Error Handling: "Internal errors: `-32603`".
#[tokio::test]
async fn a_failure_is_an_internal_error() {
    let client = prompts();
    let params = |how: &str| json!({ "name": "fails", "arguments": { "how": how } });
    assert_eq!(
        error(&client, "prompts/get", params("read the database")).await,
        json!({ "code": -32603, "message": "cannot read the database" })
    );
    assert_eq!(
        error(&client, "prompts/get", params("protocol")).await,
        json!({ "code": -32602, "message": "not like this" })
    );
    assert_eq!(
        error(&client, "prompts/get", json!({ "name": "never" })).await,
        json!({ "code": -32603, "message": "`never` did not finish within 20ms and was cancelled" })
    );
}
