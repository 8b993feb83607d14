//! What the client's model is asked, and what it says (client/sampling).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::protocol::{Audio, Content, Image, Role};

/// A request to the client's model.
///
/// ```
/// use mcp_runtime::Sample;
///
/// let question = Sample::new("What is the capital of France?", 100).system_prompt("Answer in one word.");
/// assert_eq!(serde_json::to_value(&question).unwrap()["maxTokens"], 100);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sample {
    messages: Vec<SampleMessage>,
    max_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model_preferences: Option<ModelPreferences>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    stop_sequences: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tools: Vec<SampleTool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<ToolChoiceMode>,
}

impl Sample {
    /// One question of the user, and the most tokens that the answer may have.
    pub fn new(question: impl Into<SampleContent>, max_tokens: u64) -> Self {
        Self::conversation(vec![SampleMessage::user(question)], max_tokens)
    }

    /// A conversation to continue.
    pub fn conversation(messages: Vec<SampleMessage>, max_tokens: u64) -> Self {
        Self {
            messages,
            max_tokens,
            system_prompt: None,
            model_preferences: None,
            temperature: None,
            stop_sequences: Vec::new(),
            metadata: None,
            tools: Vec::new(),
            tool_choice: None,
        }
    }

    /// What the model is told beforehand; the client may change it.
    pub fn system_prompt(mut self, prompt: impl Into<String>) -> Self {
        self.system_prompt = Some(prompt.into());
        self
    }

    /// What kind of model is wanted.
    pub fn model_preferences(mut self, preferences: ModelPreferences) -> Self {
        self.model_preferences = Some(preferences);
        self
    }

    /// How random the answer is; the range depends on the model.
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// A text that ends the answer.
    pub fn stop_sequence(mut self, text: impl Into<String>) -> Self {
        self.stop_sequences.push(text.into());
        self
    }

    /// A tool that the model may use; it need not be one of the server's.
    pub fn tool(mut self, tool: SampleTool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Whether the model may, must or must not use tools.
    pub fn tool_choice(mut self, choice: ToolChoice) -> Self {
        self.tool_choice = Some(ToolChoiceMode { mode: choice });
        self
    }

    pub(super) fn uses_tools(&self) -> bool {
        !self.tools.is_empty() || self.tool_choice.is_some()
    }
}

/// One message of a sampling conversation.
///
/// A message with tool results "MUST contain ONLY tool results".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampleMessage {
    /// Who says it.
    pub role: Role,
    /// What is said, a block or several.
    #[serde(with = "one_or_many")]
    pub content: Vec<SampleContent>,
}

impl SampleMessage {
    /// A message of the user.
    pub fn user(content: impl Into<SampleContent>) -> Self {
        Self { role: Role::User, content: vec![content.into()] }
    }

    /// A message of the model.
    pub fn assistant(content: impl Into<SampleContent>) -> Self {
        Self { role: Role::Assistant, content: vec![content.into()] }
    }
}

/// A block of a sampling conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SampleContent {
    /// Plain text.
    Text {
        /// The text.
        text: String,
    },
    /// An image.
    Image(Image),
    /// Audio.
    Audio(Audio),
    /// The model wants a tool to be used.
    ToolUse {
        /// Names this use.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        input: Map<String, Value>,
    },
    /// What a tool gave.
    #[serde(rename_all = "camelCase")]
    ToolResult {
        /// The use that this answers.
        tool_use_id: String,
        /// The blocks.
        content: Vec<Content>,
        /// Whether the tool failed.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
}

impl<T: Into<String>> From<T> for SampleContent {
    fn from(text: T) -> Self {
        Self::Text { text: text.into() }
    }
}

/// A tool that the model may use while it answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SampleTool {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub input_schema: Value,
}

/// Whether the model uses tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolChoice {
    /// As it likes.
    Auto,
    /// At least one.
    Required,
    /// None.
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct ToolChoiceMode {
    mode: ToolChoice,
}

/// What kind of model is wanted; the client decides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelPreferences {
    /// Parts of model names, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "hints")]
    pub hints: Vec<String>,
    /// How much a low price matters, from 0.0 to 1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_priority: Option<f64>,
    /// How much a fast answer matters, from 0.0 to 1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_priority: Option<f64>,
    /// How much ability matters, from 0.0 to 1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intelligence_priority: Option<f64>,
}

/// What the model said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SampleResult {
    /// Who says it: the model.
    pub role: Role,
    /// What it says, a block or several.
    #[serde(with = "one_or_many")]
    pub content: Vec<SampleContent>,
    /// The model's name.
    pub model: String,
    /// Why it stopped: `"endTurn"`, `"stopSequence"`, `"maxTokens"`, `"toolUse"` or another word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
}

impl SampleResult {
    /// The blocks of text, a line each.
    pub fn text(&self) -> String {
        let texts = self.content.iter().filter_map(|block| match block {
            SampleContent::Text { text } => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// "A single content block when the response contains only one content block", else an array.
mod one_or_many {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::SampleContent;

    pub(super) fn serialize<S: Serializer>(
        blocks: &[SampleContent],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match blocks {
            [block] => block.serialize(serializer),
            blocks => blocks.serialize(serializer),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<SampleContent>, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Blocks {
            Many(Vec<SampleContent>),
            One(SampleContent),
        }
        Ok(match Blocks::deserialize(deserializer)? {
            Blocks::Many(blocks) => blocks,
            Blocks::One(block) => vec![block],
        })
    }
}

/// `[{"name": "claude"}]`.
mod hints {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Hint {
        #[serde(default)]
        name: String,
    }

    pub(super) fn serialize<S: Serializer>(names: &[String], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(names.iter().map(|name| Hint { name: name.clone() }))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
        Ok(Vec::<Hint>::deserialize(deserializer)?.into_iter().map(|hint| hint.name).collect())
    }
}
