//! What a person answers to an elicitation.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a person answered (client/elicitation, Response Actions).
///
/// ```
/// use mcp_runtime::Answer;
///
/// fn tell(answer: Answer<u32>) -> String {
///     match answer {
///         Answer::Accept(seats) => format!("{seats} seats booked"),
///         Answer::Decline => "as you wish".to_owned(),
///         Answer::Cancel => "ask me again later".to_owned(),
///     }
/// }
///
/// assert_eq!(tell(Answer::Accept(2)), "2 seats booked");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<T> {
    /// They agreed, and sent this.
    Accept(T),
    /// They said no.
    Decline,
    /// They turned away without a choice.
    Cancel,
}

impl<T> Answer<T> {
    /// What they sent, if they agreed.
    pub fn accepted(self) -> Option<T> {
        match self {
            Self::Accept(value) => Some(value),
            Self::Decline | Self::Cancel => None,
        }
    }
}

/// `ElicitResult`.
///
/// ```json
/// {"action": "accept", "content": {"name": "octocat"}}
/// ```
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct ElicitResult {
    pub(super) action: Action,
    #[serde(default)]
    pub(super) content: Option<Map<String, Value>>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Action {
    Accept,
    Decline,
    Cancel,
}
