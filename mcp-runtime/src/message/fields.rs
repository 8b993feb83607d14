//! The objects of a request that the core reads: `params`, `_meta`, `arguments`.
//!
//! Each is a serde seed that never fails on a shape it does not like: it notes the fault, so that the rest of
//! the message, the id above all, is still read and the answer can be addressed.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::text::{Span, Str, Text};

/// `params` of a request. Fields of methods that are not being called are simply absent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Params {
    pub(crate) name: Option<Str>,
    pub(crate) uri: Option<Str>,
    pub(crate) cursor: Option<Str>,
    pub(crate) arguments: Arguments,
    pub(crate) meta: Option<Meta>,
    /// `ref` of `completion/complete`.
    pub(crate) reference: Option<Span>,
    /// `argument` of `completion/complete`.
    pub(crate) argument: Option<Span>,
    /// `context` of `completion/complete`.
    pub(crate) context: Option<Span>,
    /// `notifications` of `subscriptions/listen`.
    pub(crate) notifications: Option<Span>,
    /// `inputResponses` of a retry.
    pub(crate) input_responses: Option<Span>,
    /// `requestState` of a retry.
    pub(crate) request_state: Option<Str>,
    /// `protocolVersion` of a legacy `initialize`.
    pub(crate) protocol_version: Option<Str>,
    /// `capabilities` of a legacy `initialize`.
    pub(crate) capabilities: Option<Span>,
    /// `clientInfo` of a legacy `initialize`.
    pub(crate) client_info: Option<Span>,
    /// `level` of a legacy `logging/setLevel`.
    pub(crate) level: Option<Str>,
    /// The first thing that is wrong with the shape; the answer is `-32602`.
    pub(crate) fault: Option<String>,
}

/// `arguments` of `tools/call` and `prompts/get`: names and raw values, in the client's order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arguments(pub(crate) Vec<(Str, Span)>);

/// The `_meta` of a request (basic/index, `_meta`).
#[derive(Clone, Debug, Default)]
pub(crate) struct Meta {
    pub(crate) protocol_version: Option<Str>,
    pub(crate) client_info: Option<Span>,
    pub(crate) client_capabilities: Option<Span>,
    pub(crate) log_level: Option<Str>,
    pub(crate) progress_token: Option<Span>,
    /// Every other key, for handlers.
    pub(crate) other: Vec<(Str, Span)>,
}

/// An object's key: borrowed where it stands literally, owned where it was escaped.
pub(super) enum Key<'t> {
    Borrowed(&'t str),
    Owned(String),
}

impl Key<'_> {
    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Borrowed(key) => key,
            Self::Owned(key) => key,
        }
    }

    fn into_str(self, text: &Text) -> Str {
        match self {
            Self::Borrowed(key) => Str::Span(text.span_of(key)),
            Self::Owned(key) => Str::Owned(key.into()),
        }
    }
}

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }
            fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Key<'de>, E> {
                Ok(Key::Borrowed(key))
            }
            fn visit_str<E>(self, key: &str) -> Result<Key<'de>, E> {
                Ok(Key::Owned(key.to_owned()))
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}

/// The string that a raw value is, if it is one and decodes.
pub(super) fn string(text: &Text, raw: &RawValue) -> Option<Str> {
    let inner = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        serde_json::from_str::<String>(raw.get()).ok().map(|owned| Str::Owned(owned.into()))
    } else {
        Some(Str::Span(text.span_of(inner)))
    }
}

/// Whether a raw value is a JSON integer, as ids and progress tokens must be if they are numbers.
pub(crate) fn is_integer(json: &str) -> bool {
    let digits = json.strip_prefix('-').unwrap_or(json);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// What a fault calls the value that it met, where it is not the string that it should be.
pub(crate) fn kind(json: &str) -> &'static str {
    match json.as_bytes().first() {
        Some(b'"') => "a string that is no Unicode (a lone surrogate)",
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}

/// The visitor methods of everything that is not an object, each leaving `$self.other(kind)`.
macro_rules! unless_object {
    () => {
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("any JSON value")
        }
        fn visit_unit<E>(self) -> Result<(), E> {
            self.other("null");
            Ok(())
        }
        fn visit_bool<E>(self, _: bool) -> Result<(), E> {
            self.other("a boolean");
            Ok(())
        }
        fn visit_i64<E>(self, _: i64) -> Result<(), E> {
            self.other("a number");
            Ok(())
        }
        fn visit_u64<E>(self, _: u64) -> Result<(), E> {
            self.other("a number");
            Ok(())
        }
        fn visit_f64<E>(self, _: f64) -> Result<(), E> {
            self.other("a number");
            Ok(())
        }
        fn visit_str<E>(self, _: &str) -> Result<(), E> {
            self.other("a string");
            Ok(())
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            self.other("an array");
            Ok(())
        }
    };
}

/// Reads `params` into place.
pub(super) struct ParamsSeed<'a> {
    pub(super) text: &'a Text,
    pub(super) params: &'a mut Params,
    /// `params` of a `notifications/cancelled`.
    pub(super) cancelled: &'a mut Cancelled,
}

/// What `notifications/cancelled` carries.
#[derive(Default)]
pub(super) struct Cancelled {
    pub(super) request_id: Option<Span>,
    pub(super) reason: Option<Str>,
}

impl<'de> DeserializeSeed<'de> for ParamsSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl ParamsSeed<'_> {
    fn other(self, kind: &str) {
        if kind != "null" {
            self.params.note(format!("`params` must be an object, not {kind}"));
        }
    }

    fn text_field(&mut self, name: &str, raw: &RawValue) -> Option<Str> {
        let found = string(self.text, raw);
        if found.is_none() {
            self.params.note(format!("`params.{name}` must be a string, not {}", kind(raw.get())));
        }
        found
    }
}

impl Params {
    /// Keeps the first fault only: what follows from it would confuse.
    pub(super) fn note(&mut self, fault: String) {
        self.fault.get_or_insert(fault);
    }
}

impl<'de> Visitor<'de> for ParamsSeed<'_> {
    type Value = ();

    unless_object!();

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        let mut given = Vec::with_capacity(4);
        while let Some(key) = map.next_key::<Key<'de>>()? {
            let name = match key.as_str() {
                "name" => "name",
                "uri" => "uri",
                "cursor" => "cursor",
                "arguments" => "arguments",
                "_meta" => "_meta",
                "ref" => "ref",
                "argument" => "argument",
                "context" => "context",
                "notifications" => "notifications",
                "inputResponses" => "inputResponses",
                "requestState" => "requestState",
                "protocolVersion" => "protocolVersion",
                "capabilities" => "capabilities",
                "clientInfo" => "clientInfo",
                "level" => "level",
                "requestId" => "requestId",
                "reason" => "reason",
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            // Two parties that read different ones of two equal keys would disagree on what was asked.
            if given.contains(&name) {
                self.params.note(format!("`params.{name}` is given twice"));
            }
            given.push(name);
            match name {
                "arguments" => {
                    let seed = ArgumentsSeed { text: self.text, params: self.params };
                    map.next_value_seed(seed)?;
                    continue;
                }
                "_meta" => {
                    let seed = MetaSeed { text: self.text, params: self.params };
                    map.next_value_seed(seed)?;
                    continue;
                }
                _ => {}
            }
            let raw = map.next_value::<&'de RawValue>()?;
            let span = self.text.span_of(raw.get());
            match name {
                "name" => self.params.name = self.text_field(name, raw),
                "uri" => self.params.uri = self.text_field(name, raw),
                "cursor" if raw.get() == "null" => {}
                "cursor" => self.params.cursor = self.text_field(name, raw),
                "ref" => self.params.reference = Some(span),
                "argument" => self.params.argument = Some(span),
                "context" => self.params.context = Some(span),
                "notifications" => self.params.notifications = Some(span),
                "inputResponses" => self.params.input_responses = Some(span),
                "requestState" => self.params.request_state = self.text_field(name, raw),
                "protocolVersion" => self.params.protocol_version = string(self.text, raw),
                "capabilities" => self.params.capabilities = Some(span),
                "clientInfo" => self.params.client_info = Some(span),
                "level" => self.params.level = string(self.text, raw),
                "requestId" => self.cancelled.request_id = Some(span),
                _ => self.cancelled.reason = string(self.text, raw),
            }
        }
        Ok(())
    }
}

struct ArgumentsSeed<'a> {
    text: &'a Text,
    params: &'a mut Params,
}

impl ArgumentsSeed<'_> {
    fn other(self, kind: &str) {
        // Clients send null for "no arguments".
        if kind != "null" {
            self.params.note(format!("`params.arguments` must be an object, not {kind}"));
        }
    }
}

impl<'de> DeserializeSeed<'de> for ArgumentsSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ArgumentsSeed<'_> {
    type Value = ();

    unless_object!();

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let arguments = &mut self.params.arguments.0;
        while let Some(key) = map.next_key::<Key<'de>>()? {
            let raw = map.next_value::<&'de RawValue>()?;
            arguments.push((key.into_str(self.text), self.text.span_of(raw.get())));
        }
        Ok(())
    }
}

struct MetaSeed<'a> {
    text: &'a Text,
    params: &'a mut Params,
}

impl MetaSeed<'_> {
    fn other(self, kind: &str) {
        self.params.note(format!("`params._meta` must be an object, not {kind}"));
    }

    fn text_field(&mut self, name: &str, raw: &RawValue) -> Option<Str> {
        let found = string(self.text, raw);
        if found.is_none() {
            self.params.note(format!("`_meta[\"{name}\"]` must be a string, not {}", kind(raw.get())));
        }
        found
    }

    fn object_field(&mut self, name: &str, raw: &RawValue) -> Option<Span> {
        let kind = match raw.get().as_bytes().first() {
            Some(b'{') => return Some(self.text.span_of(raw.get())),
            Some(b'"') => "a string",
            _ => kind(raw.get()),
        };
        self.params.note(format!("`_meta[\"{name}\"]` must be an object, not {kind}"));
        None
    }
}

impl<'de> DeserializeSeed<'de> for MetaSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for MetaSeed<'_> {
    type Value = ();

    unless_object!();

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        let mut meta = Meta::default();
        while let Some(key) = map.next_key::<Key<'de>>()? {
            let raw = map.next_value::<&'de RawValue>()?;
            let name = key.as_str();
            match name {
                // Typed clients send null for an optional member that they leave out.
                "io.modelcontextprotocol/clientInfo"
                | "io.modelcontextprotocol/logLevel"
                | "progressToken"
                    if raw.get() == "null" => {}
                "io.modelcontextprotocol/protocolVersion" => {
                    if meta.protocol_version.is_some() {
                        self.params.note(format!("`_meta[\"{name}\"]` is given twice"));
                    }
                    meta.protocol_version = self.text_field(name, raw);
                }
                "io.modelcontextprotocol/clientInfo" => meta.client_info = self.object_field(name, raw),
                "io.modelcontextprotocol/clientCapabilities" => {
                    meta.client_capabilities = self.object_field(name, raw);
                }
                "io.modelcontextprotocol/logLevel" => meta.log_level = self.text_field(name, raw),
                "progressToken" => {
                    if raw.get().starts_with('"') || is_integer(raw.get()) {
                        meta.progress_token = Some(self.text.span_of(raw.get()));
                    } else {
                        self.params.note("`_meta.progressToken` must be a string or an integer".to_owned());
                    }
                }
                _ => {
                    let span = self.text.span_of(raw.get());
                    meta.other.push((key.into_str(self.text), span));
                }
            }
        }
        self.params.meta = Some(meta);
        Ok(())
    }
}
