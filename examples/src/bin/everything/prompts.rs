//! What prompts can take and give. Their arguments are text on the wire, and typed here.

use std::num::ParseIntError;
use std::str::FromStr;

use mcp_runtime::PromptResult;
use mcp_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// How to speak.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Tone {
    /// As to a colleague.
    Plain,
    /// As to a child.
    Simple,
}

/// A time of day; only `FromStr`, no serde.
struct Clock {
    hour: u8,
    minute: u8,
}

impl FromStr for Clock {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        let (hour, minute) = text.split_once(':').unwrap_or((text, "0"));
        Ok(Self { hour: hour.parse()?, minute: minute.parse()? })
    }
}

/// Arguments of many types; enums and flags complete by themselves.
#[prompt(title = "Remind me")]
fn remind(
    /// What of.
    task: &str,
    /// When, as 9 or 17:30.
    at: Clock,
    /// How many minutes before.
    #[arg(default = 10, range(0..=120))]
    before: u8,
    tone: Option<Tone>,
    urgent: Option<bool>,
) -> String {
    let Clock { hour, minute } = at;
    let tone = match tone {
        Some(Tone::Simple) => "in simple words",
        Some(Tone::Plain) | None => "plainly",
    };
    let urgent = if urgent.unwrap_or(false) { ", and insist" } else { "" };
    format!("Remind me {tone} of {task:?}, {before} minutes before {hour}:{minute:02}{urgent}.")
}

/// A conversation to go on with, and a description that fits it.
#[prompt(icon("https://example.com/pen.png"), meta("com.example/reviewed" = true))]
fn translate(
    /// The language to translate to.
    #[arg(complete = crate::completions::languages)]
    language: &str,
    text: &str,
) -> PromptResult {
    PromptResult {
        description: Some(format!("Translate to {language}")),
        messages: vec![
            Message::user("Translate to French: good morning"),
            Message::assistant("bonjour"),
            Message::user(format!("Translate to {language}: {text}")),
        ],
    }
}

/// A prompt that finds no words.
#[prompt]
fn refuse() -> Result<String> {
    Err("there is nothing to ask today".into())
}
