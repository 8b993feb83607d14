//! What one round leaves to the next: sealed into `requestState`, so that any instance can go on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Question;

/// What earlier rounds gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Resumed {
    /// How many rounds there were.
    #[serde(rename = "r", default)]
    pub(crate) round: u32,
    /// The client's answers, by key.
    #[serde(rename = "a", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) answers: BTreeMap<String, Value>,
    /// What bodies of `once` gave, by key.
    #[serde(rename = "o", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) once: BTreeMap<String, Value>,
    /// What a handler that asks by hand wants to be told.
    #[serde(rename = "h", default, skip_serializing_if = "Option::is_none")]
    pub(crate) by_hand: Option<Value>,
    /// What was asked for in any round, in order.
    #[serde(rename = "s", default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) asked: Vec<Question>,
}

impl Resumed {
    pub(super) fn question(&self, key: &str) -> Option<&Question> {
        self.asked.iter().find(|question| question.key == key)
    }
}
