//! basic/index, Messages: 100,000 random and mutated messages. None of them stops the server, each gets an answer or a
//! rightful silence, and every answer is valid JSON-RPC with the right id.
//!
//! What is due is derived from the message's text, read with `serde_json` alone.

use std::fmt;

use mcp_runtime::testing::Client;
use mcp_tests::{NONE, client, request};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Value, json};

#[allow(clippy::unnecessary_wraps, reason = "each form that an author may write")]
mod entries {
    use std::collections::BTreeMap;

    use mcp_runtime::prelude::*;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use serde_json::Value;

    #[tool]
    fn echo(text: String) -> String {
        text
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "kind")]
    enum Shape {
        Circle { radius: f64 },
        Square { side: u8, more: Option<Vec<Shape>> },
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    enum Loose {
        Number(i64),
        Text(String),
        Map(BTreeMap<String, Option<u8>>),
    }

    #[tool]
    #[allow(clippy::too_many_arguments, reason = "one of each kind")]
    async fn shapes(
        #[arg(range(1..=9))] n: i8,
        shape: Shape,
        loose: Option<Loose>,
        #[arg(length(..=3), pattern = "^[a-z]*$")] word: Option<&str>,
        list: Option<Vec<(u8, String)>>,
        any: Option<Value>,
        #[arg(default = 0.5)] ratio: f64,
        ctx: &Context,
    ) -> Result<Json<Shape>, String> {
        ctx.progress(1.0, 2.0, "half");
        ctx.log(LogLevel::Info, (word, list, any, ratio));
        tokio::task::yield_now().await;
        ctx.progress(2.0, 2.0, "whole");
        match loose {
            Some(Loose::Number(number)) => Err(format!("{n} {number}")),
            Some(Loose::Text(text)) => Err(text),
            Some(Loose::Map(map)) => Err(format!("{map:?}")),
            None => Ok(Json(shape)),
        }
    }

    #[resource("app://a")]
    fn fixed() -> &'static str {
        "a"
    }

    #[resource("db://{table}/rows/{id}{?limit,exact}")]
    fn row(table: &str, id: i64, limit: Option<u8>, exact: Option<bool>) -> String {
        format!("{table} {id} {limit:?} {exact:?}")
    }

    #[resource("file:///{+path}")]
    fn file(path: mcp_runtime::SafePath) -> String {
        path.as_str().to_owned()
    }

    #[prompt]
    fn prompt(text: String, flag: Option<bool>, n: Option<u32>) -> Vec<Message> {
        vec![Message::user(text), Message::assistant(format!("{flag:?} {n:?}"))]
    }
}

const MESSAGES: u32 = 100_000;

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
enum Due {
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

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
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
fn due(message: &[u8]) -> Due {
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
        && field("clientInfo").is_none_or(|value| value.is_object())
        && field("logLevel").is_none_or(|level| {
            let levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
            level.as_str().is_some_and(|level| levels.contains(&level))
        })
        && meta.get("progressToken").is_none_or(|token| {
            let digits = token.strip_prefix('-').unwrap_or(token);
            token.starts_with('"') || !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
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
fn check(due: &Due, messages: &[Value]) -> Result<(), String> {
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

/// Numbers that look random and are the same on every run (`SplitMix64`).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

/// Makes messages from those that a client would send.
struct Generator {
    numbers: Numbers,
    seeds: Vec<Value>,
}

impl Generator {
    fn new(seeds: Vec<Value>) -> Self {
        Self { numbers: Numbers(20_260_728), seeds }
    }

    fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).expect("it is small");
        usize::try_from(self.numbers.next() % end).expect("it is smaller")
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }

    fn message(&mut self) -> Vec<u8> {
        let index = self.below(self.seeds.len());
        let mut message = self.seeds[index].clone();
        match self.below(20) {
            // As a client would send it.
            0 => {}
            // Some values inside are others.
            1..=4 => {
                for _ in 0..=self.below(3) {
                    self.mutate(&mut message, 0);
                }
            }
            // Some of what the method is about are others.
            5..=9 => {
                for _ in 0..=self.below(3) {
                    let members = ["arguments", "uri", "argument", "ref", "context", "cursor"];
                    let name = self.pick(&members);
                    if let Some(member) = message["params"].get_mut(name) {
                        self.mutate(member, usize::from(!member.is_object()));
                    }
                }
            }
            // Some bytes are others.
            10..=14 => {
                let mut bytes = message.to_string().into_bytes();
                for _ in 0..=self.below(4) {
                    self.mutate_bytes(&mut bytes);
                }
                return bytes;
            }
            // A member is there twice.
            15 => {
                let text = message.to_string();
                let value = self.value(2);
                let name = self.pick(&["id", "method", "params", "jsonrpc", "extra", "result"]);
                return text.replacen('{', &format!("{{\"{name}\":{value},"), 1).into_bytes();
            }
            // Some JSON.
            16..=17 => message = self.value(0),
            // Some JSON in a message's place.
            18 => {
                message = json!({ "jsonrpc": "2.0", "id": 1 });
                for _ in 0..self.below(4) {
                    let name = self.name();
                    message[name.as_str()] = self.value(1);
                }
            }
            // Some bytes.
            _ => {
                let length = self.below(60);
                return (0..length).map(|_| self.numbers.next().to_le_bytes()[0]).collect();
            }
        }
        let mut text = message.to_string();
        if self.below(50) == 0 {
            text = format!("\u{feff} \n{text} \r\n");
        }
        text.into_bytes()
    }

    fn mutate(&mut self, value: &mut Value, depth: usize) {
        let replaces = depth > 0 && self.below(5) == 0;
        match value {
            Value::Object(map) if !replaces && !map.is_empty() => {
                let keys: Vec<String> = map.keys().cloned().collect();
                let key = &keys[self.below(keys.len())];
                match self.below(8) {
                    0 => {
                        map.shift_remove(key);
                    }
                    1 => {
                        let moved = map.shift_remove(key).unwrap_or_default();
                        let name = self.name();
                        map.insert(name, moved);
                    }
                    2 => {
                        let name = self.name();
                        let added = self.value(2);
                        map.insert(name, added);
                    }
                    _ => self.mutate(&mut map[key.as_str()], depth + 1),
                }
            }
            Value::Array(items) if !replaces && !items.is_empty() => {
                let index = self.below(items.len());
                match self.below(4) {
                    0 => {
                        items.remove(index);
                    }
                    1 => {
                        let added = self.value(2);
                        items.insert(index, added);
                    }
                    _ => self.mutate(&mut items[index], depth + 1),
                }
            }
            Value::String(text) if self.below(3) == 0 => {
                let at =
                    (0..=text.len()).filter(|at| text.is_char_boundary(*at)).nth(self.below(text.len() + 1));
                let added = self.text();
                text.insert_str(at.unwrap_or(0), &added);
            }
            // Sent as text, as models do.
            other if self.below(6) == 0 => *other = Value::from(other.to_string()),
            other => *other = self.value(2),
        }
    }

    fn mutate_bytes(&mut self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let at = self.below(bytes.len());
        let telling: &[u8] = b"\"{}[]:,\\u0e-+.tfn \xff\xc3\x00d8";
        let byte = telling[self.below(telling.len())];
        match self.below(5) {
            0 => bytes.truncate(at),
            1 => {
                bytes.remove(at);
            }
            2 => bytes.insert(at, byte),
            3 => {
                let end = bytes.len().min(at + self.below(12));
                let part = bytes[at..end].to_vec();
                let to = self.below(bytes.len());
                bytes.splice(to..to, part);
            }
            _ => bytes[at] = byte,
        }
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth > 3 { 8 } else { 11 }) {
            0 => Value::Null,
            1 => (self.below(2) == 0).into(),
            2 => (i64::try_from(self.below(23)).expect("it is small") - 3).into(),
            3 => self.numbers.next().cast_signed().into(),
            4 => self.numbers.next().into(),
            5 => json!(f64::from_bits(self.numbers.next())),
            6 | 7 => self.text().into(),
            8 => (0..self.below(4)).map(|_| self.value(depth + 1)).collect::<Vec<_>>().into(),
            9 => {
                let mut nested = Value::Null;
                let deepest = if self.below(10) == 0 { 200 } else { 8 };
                for _ in 0..self.below(deepest) {
                    nested = if self.below(2) == 0 { json!([nested]) } else { json!({ "a": nested }) };
                }
                nested
            }
            _ => {
                let mut map = serde_json::Map::new();
                for _ in 0..self.below(4) {
                    let name = self.name();
                    let value = self.value(depth + 1);
                    map.insert(name, value);
                }
                map.into()
            }
        }
    }

    fn name(&mut self) -> String {
        match self.below(12) {
            0 => self.text(),
            _ => self
                .pick(&[
                    "jsonrpc",
                    "id",
                    "method",
                    "params",
                    "result",
                    "error",
                    "name",
                    "uri",
                    "cursor",
                    "arguments",
                    "_meta",
                    "ref",
                    "argument",
                    "context",
                    "type",
                    "value",
                    "text",
                    "shape",
                    "kind",
                    "radius",
                    "n",
                    "progressToken",
                    "io.modelcontextprotocol/protocolVersion",
                    "io.modelcontextprotocol/logLevel",
                    "requestId",
                ])
                .to_owned(),
        }
    }

    fn char(&mut self) -> char {
        let [low, middle, high, many, ..] = self.numbers.next().to_le_bytes();
        let code = match many % 3 {
            0 => u32::from(low % 0x80),
            1 => u32::from_le_bytes([low, middle, 0, 0]),
            _ => u32::from_le_bytes([low, middle, high % 0x11, 0]),
        };
        char::from_u32(code).unwrap_or('\u{fffd}')
    }

    fn text(&mut self) -> String {
        match self.below(6) {
            0 => String::new(),
            1 => self
                .pick(&[
                    "tools/call",
                    "tools/list",
                    "resources/read",
                    "prompts/get",
                    "completion/complete",
                    "notifications/cancelled",
                    "initialize",
                    "2026-07-28",
                    "2025-11-25",
                    "echo",
                    "shapes",
                    "prompt",
                    "app://a",
                    "db://t/rows/1?limit=300",
                    "db://%zz/rows/1",
                    "file:///../x",
                    "file:///a%2f..%2f",
                    "Circle",
                    "info",
                    "ref/prompt",
                    "[1,2]",
                    "{\"kind\":\"Circle\",\"radius\":\"1\"}",
                    "null",
                    "1e999",
                    "\u{0}",
                    "\u{feff}",
                    "\u{202e}",
                    "\\ud800",
                    "true",
                    "-0",
                ])
                .to_owned(),
            2 => "x".repeat(self.below(200)),
            _ => (0..self.below(6)).map(|_| self.char()).collect(),
        }
    }
}

fn seeds() -> Vec<Value> {
    let heard = json!({ "progressToken": "t", "io.modelcontextprotocol/logLevel": "debug" });
    let shape = json!({ "kind": "Square", "side": 1, "more": [{ "kind": "Circle", "radius": 0.5 }] });
    let all = json!({
        "n": 5, "shape": shape, "word": "abc", "list": [[1, "a"]], "any": { "a": [null] }, "ratio": 1, "loose": null,
    });
    let failing = json!({ "n": "5", "shape": shape.to_string(), "loose": { "a": 1, "b": null } });
    let complete = |reference: Value, name: &str| {
        json!({
            "ref": reference,
            "argument": { "name": name, "value": "t" },
            "context": { "arguments": { "text": "x" } },
        })
    };
    vec![
        request(1, "server/discover", json!({})),
        request("a", "tools/list", json!({})),
        request(2, "tools/list", json!({ "cursor": "x" })),
        request(3, "tools/call", json!({ "name": "echo", "arguments": { "text": "hello" } })),
        request(4, "tools/call", json!({ "name": "shapes", "arguments": all, "_meta": heard })),
        request(5, "tools/call", json!({ "name": "shapes", "arguments": failing, "_meta": heard })),
        request(-6, "resources/list", json!({ "cursor": null })),
        request(7, "resources/templates/list", json!({})),
        request("\u{1f600}", "resources/read", json!({ "uri": "app://a" })),
        request(8, "resources/read", json!({ "uri": "db://orders/rows/7?limit=3&exact=true" })),
        request(9, "resources/read", json!({ "uri": "file:///a/b%20c.txt" })),
        request(10, "prompts/list", json!({})),
        request(
            11,
            "prompts/get",
            json!({ "name": "prompt", "arguments": { "text": "x", "flag": "true", "n": "3" } }),
        ),
        request(
            12,
            "completion/complete",
            complete(json!({ "type": "ref/prompt", "name": "prompt" }), "flag"),
        ),
        request(
            13,
            "completion/complete",
            complete(
                json!({ "type": "ref/resource", "uri": "db://{table}/rows/{id}{?limit,exact}" }),
                "exact",
            ),
        ),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1, "reason": "x" } }),
        json!({ "jsonrpc": "2.0", "id": 14, "result": {} }),
        json!({ "jsonrpc": "2.0", "id": 15, "method": "initialize", "params": { "protocolVersion": "2025-11-25" } }),
    ]
}

async fn is_due(client: &Client, message: Vec<u8>) {
    let due = due(&message);
    let shown = String::from_utf8_lossy(&message).into_owned();
    let answers = client.send(message).await;
    if let Err(what) = check(&due, &answers) {
        panic!("{what}\nmessage: {shown}\ndue: {due:?}\nanswers: {}", Value::from(answers));
    }
}

/// What the seeds themselves are due, so that the mutations start from messages that work.
#[tokio::test]
async fn the_messages_that_others_are_made_of_are_answered() {
    let client = client("messages::entries");
    for seed in seeds() {
        let answers = client.send(seed.to_string()).await;
        let silent = seed.get("id").is_none() || seed.get("method").is_none();
        assert_eq!(answers.is_empty(), silent, "{seed}");
        is_due(&client, seed.to_string().into_bytes()).await;
        let refused = seed["params"]["cursor"] == "x" || seed["method"] == "initialize";
        if let Some(answer) = answers.last().filter(|_| !refused) {
            assert!(answer["result"].is_object(), "{seed}: {answer}");
            let fails = seed["id"] == 5;
            assert_eq!(answer["result"]["isError"] == true, fails, "{seed}: {answer}");
        }
    }
}

/// "100,000 random and mutated messages […]: no panic, and an answer or a rightful silence for each" (issue 2).
#[tokio::test]
async fn a_hundred_thousand_messages() {
    let client = client("messages::entries");
    let mut generator = Generator::new(seeds());
    for _ in 0..MESSAGES {
        is_due(&client, generator.message()).await;
    }
    assert_eq!(mcp_tests::said(&client, "echo", json!({ "text": "still here" })).await, "still here");
}

/// Each kind of message that is none (basic/index, Messages), exactly.
#[tokio::test]
async fn what_is_no_message_is_told_so() {
    let client = client("messages::entries");
    for (message, id, code, text) in [
        ("", None, PARSE_ERROR, "Parse error: EOF while parsing a value at line 1 column 0"),
        ("{", None, PARSE_ERROR, "Parse error: EOF while parsing an object at line 1 column 1"),
        (
            "[]",
            None,
            INVALID_REQUEST,
            "Invalid Request: batches are not part of this protocol revision; send one message at a time",
        ),
        ("5", None, INVALID_REQUEST, "Invalid Request: a message is a JSON object"),
        ("null", None, INVALID_REQUEST, "Invalid Request: a message is a JSON object"),
        ("{}", None, INVALID_REQUEST, "Invalid Request: `jsonrpc` must be \"2.0\""),
        (
            r#"{"jsonrpc":"1.0","id":1,"method":"x"}"#,
            Some(json!(1)),
            INVALID_REQUEST,
            "Invalid Request: `jsonrpc` must be \"2.0\"",
        ),
        (
            r#"{"jsonrpc":"2.0","id":"x"}"#,
            Some(json!("x")),
            INVALID_REQUEST,
            "Invalid Request: `method` is missing",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":5}"#,
            Some(json!(1)),
            INVALID_REQUEST,
            "Invalid Request: `method` must be a string, not a number",
        ),
        (
            r#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#,
            None,
            INVALID_REQUEST,
            "Invalid Request: `id` must be a string or an integer, not null",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}"#,
            None,
            INVALID_REQUEST,
            "Invalid Request: `id` must be a string or an integer, not a number",
        ),
        (
            r#"{"jsonrpc":"2.0","id":{},"method":"tools/list"}"#,
            None,
            INVALID_REQUEST,
            "Invalid Request: `id` must be a string or an integer, not an object",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}"#,
            Some(json!(1)),
            INVALID_REQUEST,
            "Invalid Request: `method` is given twice",
        ),
    ] {
        let mut expected = json!({ "jsonrpc": "2.0", "error": { "code": code, "message": text } });
        if let Some(id) = id {
            expected["id"] = id;
        }
        assert_eq!(client.send(message).await, [expected], "{message}");
    }
    let invalid = client.send(b"{\"a\":\"\xff\"}".to_vec()).await;
    assert_eq!(
        invalid,
        [json!({ "jsonrpc": "2.0", "error": {
            "code": PARSE_ERROR, "message": "Parse error: the message is not UTF-8 (byte 6)",
        } })]
    );
}

/// basic/index, Notifications: "The receiver MUST NOT send a response", whatever is wrong with it.
#[tokio::test]
async fn notifications_and_responses_get_no_answer() {
    let client = client("messages::entries");
    for message in [
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": 5 }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled" }),
        json!({ "jsonrpc": "2.0", "method": "tools/call", "params": { "name": "echo" } }),
        json!({ "jsonrpc": "2.0", "method": "no/such/method" }),
        json!({ "jsonrpc": "2.0", "id": 1, "result": {} }),
        json!({ "jsonrpc": "2.0", "id": null, "error": { "code": 1, "message": "x" } }),
        json!({ "jsonrpc": "2.0", "error": { "code": 1, "message": "x" } }),
    ] {
        assert_eq!(client.send(message.to_string()).await, NONE, "{message}");
    }
}
