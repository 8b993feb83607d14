//! What getting a prompt gives (server/prompts, `PromptMessage`).

use serde::{Deserialize, Serialize};

use super::{Content, Role};

/// One message of a prompt.
///
/// ```json
/// {"role": "user", "content": {"type": "text", "text": "Please review this code."}}
/// ```
///
/// ```
/// use mcp_runtime::{Message, Role};
///
/// let example = [Message::user("2 + 2?"), Message::assistant("4")];
/// assert_eq!(example[1].role, Role::Assistant);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub content: Content,
}

impl Message {
    /// A message of the person.
    pub fn user(content: impl Into<Content>) -> Self {
        Self { role: Role::User, content: content.into() }
    }

    /// A message of the model.
    pub fn assistant(content: impl Into<Content>) -> Self {
        Self { role: Role::Assistant, content: content.into() }
    }
}

/// Messages with a description of their own, where the prompt's does not do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PromptResult {
    /// What the prompt does with these arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The conversation to start from.
    pub messages: Vec<Message>,
}
