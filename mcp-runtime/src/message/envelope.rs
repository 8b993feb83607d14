//! The outer object of a JSON-RPC message (basic/index, Messages).

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::fields::{Cancelled, Key, Params, ParamsSeed, is_integer, kind, string};
use super::{Id, Malformed, Message, Notification, Request, Response};
use crate::text::{Span, Str, Text};

/// Reads a message from its text.
pub(super) fn read(text: Text) -> Message {
    // A byte order mark is no part of JSON; some editors and shells put one at the start of a stream.
    let json = text.as_str().trim_start_matches('\u{feff}').trim_start();
    match json.as_bytes().first() {
        Some(b'{') => {}
        Some(b'[') => {
            return invalid(
                None,
                "batches are not part of this protocol revision; send one message at a time",
            );
        }
        _ => {
            return match serde_json::from_str::<IgnoredAny>(json) {
                Ok(_) => invalid(None, "a message is a JSON object"),
                Err(error) => Message::Malformed(Malformed::parse_error(error)),
            };
        }
    }
    let mut envelope = Envelope::default();
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let seed = EnvelopeSeed { text: &text, envelope: &mut envelope };
    if let Err(error) = seed.deserialize(&mut deserializer).and_then(|()| deserializer.end()) {
        return Message::Malformed(Malformed::parse_error(error));
    }
    envelope.sort(text)
}

fn invalid(id: Option<String>, why: impl Into<std::borrow::Cow<'static, str>>) -> Message {
    Message::Malformed(Malformed::invalid(id, why))
}

#[derive(Default)]
struct Envelope {
    jsonrpc: Option<Span>,
    id: Option<Span>,
    method: Option<Span>,
    method_name: Option<Str>,
    params: Params,
    cancelled: Cancelled,
    result: Option<Span>,
    error: Option<Span>,
    duplicate: Option<&'static str>,
}

impl Envelope {
    fn sort(self, text: Text) -> Message {
        let id = self.id.map(|span| text.get(span));
        let id_is_valid = id.is_some_and(|json| json.starts_with('"') || is_integer(json));
        let address = || id.filter(|_| id_is_valid).map(str::to_owned);
        if let Some(key) = self.duplicate {
            return invalid(address(), format!("`{key}` is given twice"));
        }
        if self.jsonrpc.map(|span| text.get(span)) != Some("\"2.0\"") {
            return invalid(address(), "`jsonrpc` must be \"2.0\"");
        }
        if (self.result.is_some() || self.error.is_some()) && self.method.is_none() {
            let (id, result, error) = (self.id, self.result, self.error);
            return Message::Response(Response { text, id, result, error });
        }
        let Some(method) = self.method_name else {
            return match self.method {
                None => invalid(address(), "`method` is missing"),
                Some(span) => {
                    let what = kind(text.get(span));
                    invalid(address(), format!("`method` must be a string, not {what}"))
                }
            };
        };
        let Some(id) = id else {
            return Message::Notification(Notification {
                method: method.get(&text).to_owned(),
                request_id: self.cancelled.request_id.map(|span| canonical_id(text.get(span)).into_owned()),
                reason: self.cancelled.reason.map(|reason| reason.get(&text).to_owned()),
            });
        };
        if !id_is_valid {
            return invalid(None, format!("`id` must be a string or an integer, not {}", kind(id)));
        }
        let id = Id(text.span_of(id));
        Message::Request(Box::new(Request { id, method, params: self.params, text }))
    }
}

/// The JSON of an id in its shortest form, so that `"\u0061"` and `"a"` are one id.
pub(super) fn canonical_id(json: &str) -> Cow<'_, str> {
    if json.contains('\\')
        && let Ok(text) = serde_json::from_str::<String>(json)
    {
        return serde_json::Value::from(text).to_string().into();
    }
    json.into()
}

struct EnvelopeSeed<'a> {
    text: &'a Text,
    envelope: &'a mut Envelope,
}

impl<'de> DeserializeSeed<'de> for EnvelopeSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for EnvelopeSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON-RPC message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { text, envelope } = self;
        let mut seen_params = false;
        while let Some(key) = map.next_key::<Key<'de>>()? {
            let (name, place) = match key.as_str() {
                "jsonrpc" => ("jsonrpc", &mut envelope.jsonrpc),
                "id" => ("id", &mut envelope.id),
                "method" => ("method", &mut envelope.method),
                "result" => ("result", &mut envelope.result),
                "error" => ("error", &mut envelope.error),
                "params" => {
                    if seen_params {
                        envelope.duplicate = Some("params");
                    }
                    seen_params = true;
                    let (params, cancelled) = (&mut envelope.params, &mut envelope.cancelled);
                    map.next_value_seed(ParamsSeed { text, params, cancelled })?;
                    continue;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            let raw = map.next_value::<&'de RawValue>()?;
            // What is answered twice is nobody's to be told of.
            if place.is_some() && !matches!(name, "result" | "error") {
                envelope.duplicate = Some(name);
            }
            *place = Some(text.span_of(raw.get()));
            if name == "method" {
                envelope.method_name = string(text, raw);
            }
        }
        Ok(())
    }
}
