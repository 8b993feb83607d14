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
    /// A request under a key that the author gave stands for itself, so that the message may have live data in it.
    pub(super) fn named(key: &str, asked: &Asked) -> Self {
        Self::new(key, asked, digest(&asked.method, None))
    }

    /// A request under a key from its position is all that it says: the answer to "Delete a?" never goes to
    /// "Delete b?".
    pub(super) fn unnamed(key: &str, asked: &Asked) -> Self {
        let said = asked.params.as_ref().map(Value::to_string).unwrap_or_default();
        Self::new(key, asked, digest(&asked.method, Some(&said)))
    }

    fn new(key: &str, asked: &Asked, digest: u64) -> Self {
        let label = cfg!(debug_assertions).then(|| {
            let message = asked.params.as_ref().and_then(|params| params.get("message"));
            let message = message.and_then(Value::as_str).unwrap_or_default();
            let shown: String = message.chars().take(LABEL_CHARS).collect();
            format!("{key}: {}{}{shown}", asked.method, if shown.is_empty() { "" } else { " " })
        });
        Self { key: key.to_owned(), digest, label }
    }

    /// Whether the two ask for the same.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.digest == other.digest
    }

    /// How the author is told of it.
    pub(super) fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.key)
    }
}

fn digest(method: &str, said: Option<&str>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (method, said).hash(&mut hasher);
    hasher.finish()
}
