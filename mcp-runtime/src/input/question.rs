//! What was asked, as far as later rounds have to recognize it.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Asked;

/// A request as the next round remembers it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Question {
    #[serde(rename = "k")]
    pub(crate) key: String,
    /// Tells it from other requests under the same key.
    #[serde(rename = "d")]
    digest: u64,
    /// How the author is told of it.
    #[serde(rename = "l", default, skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

/// As much of a message as a label shows.
const LABEL_CHARS: usize = 60;

impl Question {
    /// A key from the position stands for all of what is asked: the answer to "Delete a?" never goes to
    /// "Delete b?". A key that the author gave stands for itself, so that the message may have live data in it.
    pub(super) fn new(key: &str, asked: &Asked, is_named: bool) -> Self {
        let mut hasher = DefaultHasher::new();
        asked.method.hash(&mut hasher);
        if !is_named && let Some(params) = &asked.params {
            params.to_string().hash(&mut hasher);
        }
        let label = cfg!(debug_assertions).then(|| {
            let message = asked.params.as_ref().and_then(|params| params.get("message"));
            let message = message.and_then(Value::as_str).unwrap_or_default();
            let shown: String = message.chars().take(LABEL_CHARS).collect();
            format!("{key}: {}{}{shown}", asked.method, if shown.is_empty() { "" } else { " " })
        });
        Self { key: key.to_owned(), digest: hasher.finish(), label }
    }

    /// Whether the two, of one key, ask for the same.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.digest == other.digest
    }

    /// How the author is told of it.
    pub(super) fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.key)
    }
}
