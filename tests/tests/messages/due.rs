//! What a message is due, by the specification and its own text.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// The members of an object in their order, with those that are there twice.
struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;
        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Members;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(MembersVisitor)
    }
}

impl Members {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.get())
    }

    fn has_twice(&self, name: &str) -> bool {
        self.0.iter().filter(|(key, _)| key == name).count() > 1
    }
}

/// What a message is due.
#[derive(Debug)]
pub(crate) enum Due {
    /// "The receiver MUST NOT send a response."
    Silence,
    /// An error with one of these codes, and the id where it could be read.
    Error(Vec<i64>, Option<Value>),
    /// A result, or an error that the method may give.
    Answer(Value),
    /// The text is JSON to some readers and none to others (lone surrogates, numbers beyond all bounds): whatever
    /// it gets has to be well-formed.
    WellFormed,
}

pub(crate) const PARSE_ERROR: i64 = -32700;
pub(crate) const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const INTERNAL_ERROR: i64 = -32603;
const UNSUPPORTED_VERSION: i64 = -32022;

const METHODS: [&str; 9] = [
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "completion/complete",
];

/// What is due to a message, from the specification's words.
pub(crate) fn due(message: &[u8]) -> Due {
    let Ok(text) = std::str::from_utf8(message) else { return Due::Error(vec![PARSE_ERROR], None) };
    let text = text.trim_start_matches('\u{feff}');
    if serde_json::from_str::<IgnoredAny>(text).is_err() {
        // A batch is refused for what it is, before it is read to its end.
        let batch = text.trim_start().starts_with('[');
        return Due::Error(if batch { vec![INVALID_REQUEST, PARSE_ERROR] } else { vec![PARSE_ERROR] }, None);
    }
    if serde_json::from_str::<Value>(text).is_err() {
        return Due::WellFormed;
    }
    let Ok(members) = serde_json::from_str::<Members>(text) else {
        return Due::Error(vec![INVALID_REQUEST], None);
    };
    let value =
        |name: &str| members.get(name).map(|raw| serde_json::from_str::<Value>(raw).unwrap_or_default());
    if ["jsonrpc", "id", "method", "params"].into_iter().any(|name| members.has_twice(name)) {
        return Due::WellFormed;
    }
    let id_is_valid = members.get("id").is_some_and(|id| {
        let digits = id.strip_prefix('-').unwrap_or(id);
        id.starts_with('"') || !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    let id = value("id").filter(|_| id_is_valid);
    if members.get("jsonrpc") != Some("\"2.0\"") {
        return Due::Error(vec![INVALID_REQUEST], id);
    }
    let Some(method) = value("method") else {
        let response = members.get("result").is_some() || members.get("error").is_some();
        return if response { Due::Silence } else { Due::Error(vec![INVALID_REQUEST], id) };
    };
    let Some(method) = method.as_str().map(str::to_owned) else {
        return Due::Error(vec![INVALID_REQUEST], id);
    };
    if members.get("id").is_none() {
        return Due::Silence;
    }
    let Some(id) = id else { return Due::Error(vec![INVALID_REQUEST], None) };
    due_to_request(&method, members.get("params"), id)
}

fn due_to_request(method: &str, params: Option<&str>, id: Value) -> Due {
    let due = |codes: &[i64]| Due::Error(codes.to_vec(), Some(id.clone()));
    let Some(Ok(params)) = params.map(serde_json::from_str::<Members>) else {
        return due(&[INVALID_PARAMS, UNSUPPORTED_VERSION]);
    };
    let parameter =
        |name: &str| params.get(name).map(|raw| serde_json::from_str::<Value>(raw).unwrap_or_default());
    let Some(Ok(meta)) = params.get("_meta").map(serde_json::from_str::<Members>) else {
        return due(&[INVALID_PARAMS, UNSUPPORTED_VERSION]);
    };
    let field = |name: &str| {
        let raw = meta.get(&format!("io.modelcontextprotocol/{name}"))?;
        serde_json::from_str::<Value>(raw).ok()
    };
    if params.0.iter().any(|(name, _)| params.has_twice(name))
        || meta.0.iter().any(|(name, _)| meta.has_twice(name))
    {
        return Due::WellFormed;
    }
    let Some(Value::String(version)) = field("protocolVersion") else {
        return due(&[INVALID_PARAMS, UNSUPPORTED_VERSION]);
    };
    let well_formed = field("clientCapabilities").is_some_and(|value| value.is_object())
        && field("clientInfo").is_none_or(|value| value.is_null() || value.is_object())
        && field("logLevel").is_none_or(|level| {
            // Null stands for an optional member that is left out.
            let levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
            level.is_null() || level.as_str().is_some_and(|level| levels.contains(&level))
        })
        && meta.get("progressToken").is_none_or(|token| {
            let digits = token.strip_prefix('-').unwrap_or(token);
            token == "null"
                || token.starts_with('"')
                || !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        });
    let shapes =
        ["name", "uri"].into_iter().all(|name| parameter(name).is_none_or(|value| value.is_string()))
            && parameter("cursor").is_none_or(|value| value.is_string() || value.is_null())
            && parameter("arguments").is_none_or(|value| value.is_object() || value.is_null());
    if version != mcp_tests::VERSION {
        return due(if well_formed && shapes {
            &[UNSUPPORTED_VERSION]
        } else {
            &[UNSUPPORTED_VERSION, INVALID_PARAMS]
        });
    }
    if !well_formed || !shapes {
        return due(&[INVALID_PARAMS]);
    }
    if !METHODS.contains(&method) {
        return due(&[METHOD_NOT_FOUND]);
    }
    // Everything is as the method wants it, but perhaps for what it names.
    let known = |names: &[&str]| {
        parameter("name").is_some_and(|name| names.contains(&name.as_str().unwrap_or_default()))
    };
    match method {
        "tools/call" if !known(&["echo", "shapes"]) => due(&[INVALID_PARAMS]),
        "prompts/get" if !known(&["prompt"]) => due(&[INVALID_PARAMS]),
        "resources/read" if parameter("uri").is_none() => due(&[INVALID_PARAMS]),
        _ => Due::Answer(id),
    }
}

/// Whether what came is what was due.
pub(crate) fn check(due: &Due, messages: &[Value]) -> Result<(), String> {
    let Some((answer, notifications)) = messages.split_last() else {
        return match due {
            Due::Silence | Due::WellFormed => Ok(()),
            _ => Err("no answer".to_owned()),
        };
    };
    if matches!(due, Due::Silence) {
        return Err("an answer to what wants none".to_owned());
    }
    for notification in notifications {
        let known = ["notifications/progress", "notifications/message"];
        if notification["jsonrpc"] != "2.0"
            || notification.get("id").is_some()
            || !known.contains(&notification["method"].as_str().unwrap_or_default())
            || !notification["params"].is_object()
        {
            return Err(format!("no notification: {notification}"));
        }
    }
    if answer["jsonrpc"] != "2.0" {
        return Err("not JSON-RPC".to_owned());
    }
    if answer.get("result").is_some() == answer.get("error").is_some() {
        return Err("neither a result nor an error, or both".to_owned());
    }
    let code = answer.get("error").map(|error| error["code"].as_i64());
    let error_is_whole =
        answer["error"].is_null() || answer["error"]["message"].is_string() && code != Some(None);
    let result_is_whole = answer.get("result").is_none_or(|result| {
        result["resultType"] == "complete"
            && result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "tests"
    });
    if !error_is_whole || !result_is_whole {
        return Err("an answer without what every answer has".to_owned());
    }
    match due {
        Due::Error(codes, id) => {
            if answer.get("id") != id.as_ref() {
                return Err(format!("the id is not {id:?}"));
            }
            match code {
                Some(Some(code)) if codes.contains(&code) => Ok(()),
                _ => Err(format!("not an error of {codes:?}")),
            }
        }
        Due::Answer(id) => match code {
            _ if answer.get("id") != Some(id) => Err(format!("the id is not {id}")),
            None | Some(Some(INVALID_PARAMS)) => Ok(()),
            // Nothing here fails of itself.
            _ => Err("an error that the method does not give".to_owned()),
        },
        Due::WellFormed | Due::Silence => match code {
            Some(Some(INTERNAL_ERROR)) => Err("an internal error".to_owned()),
            _ => Ok(()),
        },
    }
}
