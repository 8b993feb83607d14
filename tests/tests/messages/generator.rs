//! Messages that are random, and mutations of those that a client would send.

use mcp_tests::request;
use serde_json::{Value, json};

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
pub(crate) struct Generator {
    numbers: Numbers,
    seeds: Vec<Value>,
}

impl Generator {
    pub(crate) fn new(seeds: Vec<Value>) -> Self {
        Self { numbers: Numbers(20_260_728), seeds }
    }

    fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).expect("it is small");
        usize::try_from(self.numbers.next() % end).expect("it is smaller")
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }

    pub(crate) fn message(&mut self) -> Vec<u8> {
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

pub(crate) fn seeds() -> Vec<Value> {
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
