//! What the conformance suite calls at revision 2025-11-25 only, with the texts and forms that it prescribes.

#![expect(deprecated, reason = "sampling is deprecated, and works")]

use std::time::Duration;

use mcp_runtime::prelude::*;
use mcp_runtime::{ElicitField, Sample};
use serde::Serialize;
use serde_json::{Value, json};

/// Log what is going on, three times.
#[tool]
async fn test_tool_with_logging(ctx: &Context) -> &'static str {
    ctx.log(LogLevel::Info, "Tool execution started");
    tokio::time::sleep(Duration::from_millis(50)).await;
    ctx.log(LogLevel::Info, "Tool processing data");
    tokio::time::sleep(Duration::from_millis(50)).await;
    ctx.log(LogLevel::Info, "Tool execution completed");
    "Three messages were logged."
}

/// Ask the client's model what you like.
#[tool]
async fn test_sampling(
    /// What the model is asked.
    prompt: &str,
    ctx: &Context,
) -> Result<String> {
    Ok(format!("LLM response: {}", ctx.sample(Sample::new(prompt, 100)).await?.text()))
}

#[derive(Elicit, Serialize)]
struct User {
    #[elicit(description = "User's response")]
    username: String,
    #[elicit(description = "User's email address")]
    email: String,
}

/// Ask the person what you like.
#[tool]
async fn test_elicitation(
    /// What the person is asked.
    message: &str,
    ctx: &Context,
) -> Result<String> {
    Ok(format!("User response: {}", said(ctx.elicit::<User>(message).await?)))
}

/// A field of each kind, with the default that the form begins with (SEP-1034).
#[derive(Elicit, Serialize)]
struct Defaults {
    #[elicit(default = "John Doe")]
    name: String,
    #[elicit(default = 30)]
    age: i64,
    #[elicit(default = 95.5)]
    score: f64,
    #[elicit(default = Status::Active)]
    status: Status,
    #[elicit(default = true)]
    verified: bool,
}

#[derive(Elicit, Serialize)]
#[elicit(rename_all = "lowercase")]
#[serde(rename_all = "lowercase")]
enum Status {
    Active,
    Inactive,
    Pending,
}

/// Ask with a form that is filled in already.
#[tool]
async fn test_elicitation_sep1034_defaults(ctx: &Context) -> Result<String> {
    let answer = ctx.elicit::<Defaults>("Please review what is known of you").await?;
    Ok(format!("Elicitation completed: {}", said(answer)))
}

/// A choice of each kind (SEP-1330).
#[derive(Elicit, Serialize)]
#[elicit(rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
struct Choices {
    untitled_single: Plain,
    titled_single: Titled,
    legacy_enum: Named,
    untitled_multi: Vec<Plain>,
    titled_multi: Vec<TitledChoice>,
}

#[derive(Elicit, Serialize)]
#[elicit(rename_all = "lowercase")]
#[serde(rename_all = "lowercase")]
enum Plain {
    Option1,
    Option2,
    Option3,
}

#[derive(Elicit, Serialize)]
#[elicit(rename_all = "lowercase")]
#[serde(rename_all = "lowercase")]
enum Titled {
    /// First Option
    Value1,
    /// Second Option
    Value2,
    /// Third Option
    Value3,
}

#[derive(Elicit, Serialize)]
#[elicit(rename_all = "lowercase")]
#[serde(rename_all = "lowercase")]
enum TitledChoice {
    /// First Choice
    Value1,
    /// Second Choice
    Value2,
    /// Third Choice
    Value3,
}

/// A choice whose titles are in `enumNames`, as forms had them before they had `oneOf`.
#[derive(Serialize)]
struct Named(String);

impl ElicitField for Named {
    fn schema() -> Value {
        json!({
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"]
        })
    }

    fn from_answer(answer: &Value) -> Result<Self, String> {
        String::from_answer(answer).map(Self)
    }

    fn to_answer(&self) -> Value {
        self.0.to_answer()
    }
}

/// Ask with choices of every kind.
#[tool]
async fn test_elicitation_sep1330_enums(ctx: &Context) -> Result<String> {
    let answer = ctx.elicit::<Choices>("Please choose").await?;
    Ok(format!("Elicitation completed: {}", said(answer)))
}

fn said<T: Serialize>(answer: Answer<T>) -> String {
    match answer {
        Answer::Accept(content) => format!("action=accept, content={}", json!(content)),
        Answer::Decline => "action=decline, content={}".to_owned(),
        Answer::Cancel => "action=cancel, content={}".to_owned(),
    }
}
