//! Calls that ask, taken through their rounds by hand (basic/patterns/mrtr).

use std::sync::atomic::{AtomicI64, Ordering};

use mcp_runtime::testing::Client;
use serde_json::{Value, json};

use crate::{exchange, request};

/// Everything that a client can be asked for.
pub fn every_capability() -> Value {
    json!({ "elicitation": { "form": {}, "url": {} }, "sampling": { "tools": {} }, "roots": {} })
}

/// One request, of which each round is an independent one with an id of its own.
pub struct Rounds<'a> {
    client: &'a Client,
    method: &'static str,
    params: Value,
    capabilities: Value,
    next_id: AtomicI64,
}

/// What a server asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// `inputRequests`; null where there is none.
    pub requests: Value,
    /// `requestState`.
    pub state: Value,
}

impl<'a> Rounds<'a> {
    /// Any request, of a client that can be asked for everything.
    pub fn new(client: &'a Client, method: &'static str, params: Value) -> Self {
        Self { client, method, params, capabilities: every_capability(), next_id: AtomicI64::new(1) }
    }

    /// A call of a tool.
    pub fn call(client: &'a Client, name: &str, arguments: Value) -> Self {
        Self::new(client, "tools/call", json!({ "name": name, "arguments": arguments }))
    }

    /// The same request, of a client that can do this.
    pub fn declaring(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// The answer to one round with these members beside the request's own.
    pub async fn round(&self, members: Value) -> Value {
        let mut params = self.params.clone();
        for (name, value) in members.as_object().into_iter().flatten() {
            params[name] = value.clone();
        }
        params["_meta"] = json!({ "io.modelcontextprotocol/clientCapabilities": self.capabilities });
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        exchange(self.client, &request(id, self.method, params)).await.1
    }

    /// The answer to the first round.
    pub async fn begin(&self) -> Value {
        self.round(json!({})).await
    }

    /// The answer to a round with what was asked for.
    pub async fn answer(&self, asked: &Asked, responses: Value) -> Value {
        self.round(json!({ "requestState": asked.state, "inputResponses": responses })).await
    }
}

/// What an answer asks for.
///
/// # Panics
///
/// If it is anything else than an `InputRequiredResult`.
pub fn asked(answer: &Value) -> Asked {
    let result = &answer["result"];
    assert_eq!(result["resultType"], "input_required", "{answer}");
    for name in result.as_object().expect("a result").keys() {
        assert!(
            ["resultType", "inputRequests", "requestState", "_meta"].contains(&name.as_str()),
            "{answer}"
        );
    }
    assert!(result["requestState"].is_string(), "{answer}");
    assert_ne!(result.get("inputRequests"), Some(&json!({})), "{answer}");
    Asked { requests: result["inputRequests"].clone(), state: result["requestState"].clone() }
}

/// The text that a tool ends with.
///
/// # Panics
///
/// If the answer is anything else.
pub fn ended(answer: &Value) -> &str {
    assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
    assert_eq!(answer["result"].get("isError"), None, "{answer}");
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {answer}"))
}

/// The code and the message of an error.
///
/// # Panics
///
/// If the answer is none.
pub fn failed(answer: &Value) -> (i64, &str) {
    let error = &answer["error"];
    let code = error["code"].as_i64().unwrap_or_else(|| panic!("not an error: {answer}"));
    (code, error["message"].as_str().expect("every error has a message"))
}

/// The keys under which something is asked for.
pub fn keys(asked: &Asked) -> Vec<&str> {
    asked.requests.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect()
}

/// `ElicitResult` of a person who agrees.
pub fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}
