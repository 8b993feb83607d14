//! JSON objects as spans of their text: what does not change is copied, and never parsed.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::output::write;

/// The members of one object, in order, each value as the JSON that it is. The core writes none twice.
#[derive(Default)]
pub(super) struct Members<'t>(Vec<(Cow<'t, str>, Cow<'t, str>)>);

impl<'t> Members<'t> {
    pub(super) fn parse(json: &'t str) -> serde_json::Result<Self> {
        serde_json::from_str(json)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, json)| &**json)
    }

    /// Keeps the members of which `keep` is true. Tells whether that was all.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&str, &str) -> bool) -> bool {
        let before = self.0.len();
        self.0.retain(|(key, json)| keep(key, json));
        self.0.len() == before
    }

    pub(super) fn remove(&mut self, name: &str) -> Option<Cow<'t, str>> {
        let index = self.0.iter().position(|(key, _)| key == name)?;
        Some(self.0.remove(index).1)
    }

    /// Puts another value in the place of a member's.
    pub(super) fn set(&mut self, name: &str, json: String) {
        if let Some((_, place)) = self.0.iter_mut().find(|(key, _)| key == name) {
            *place = Cow::Owned(json);
        }
    }

    /// Changes every item of a member that is an array.
    pub(super) fn each(
        &mut self,
        name: &str,
        mut change: impl FnMut(usize, &mut Value),
    ) -> serde_json::Result<()> {
        let Some(json) = self.get(name) else { return Ok(()) };
        let mut items: Vec<Value> = serde_json::from_str(json)?;
        for (index, item) in items.iter_mut().enumerate() {
            change(index, item);
        }
        self.set(name, as_json(&items));
        Ok(())
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        for (index, (key, json)) in self.0.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            write(out, &**key);
            out.push(b':');
            out.extend_from_slice(json.as_bytes());
        }
        out.push(b'}');
    }

    pub(super) fn to_json(&self) -> String {
        let mut out = Vec::new();
        self.write(&mut out);
        String::from_utf8(out).expect("JSON from texts is text")
    }
}

/// The JSON of a value that was JSON before.
pub(super) fn as_json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).expect("JSON values serialize")
}

/// A JSON-RPC answer, of which one member has been opened: `result` or `error`.
pub(super) struct Opened<'t> {
    name: &'static str,
    around: Members<'t>,
    pub(super) inside: Members<'t>,
}

impl<'t> Opened<'t> {
    pub(super) fn parse(text: &'t str, name: &'static str) -> serde_json::Result<Self> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let opened = OpenedSeed(name).deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(opened)
    }

    /// The answer, the opened member last, as the core writes it. It is about as long as `before`.
    pub(super) fn into_line(mut self, before: &str) -> Vec<u8> {
        let mut line = Vec::with_capacity(before.len() + 32);
        let inside = std::mem::take(&mut self.inside);
        self.around.write(&mut line);
        line.pop();
        if line.len() > 1 {
            line.push(b',');
        }
        write(&mut line, self.name);
        line.push(b':');
        inside.write(&mut line);
        line.push(b'}');
        line
    }
}

struct OpenedSeed(&'static str);

impl<'de> DeserializeSeed<'de> for OpenedSeed {
    type Value = Opened<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Opened<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for OpenedSeed {
    type Value = Opened<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an answer with the object `{}`", self.0)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Opened<'de>, A::Error> {
        let mut around = Members::default();
        let mut inside = None;
        while let Some(Key(key)) = map.next_key()? {
            if key == self.0 {
                inside = Some(map.next_value()?);
            } else {
                around.0.push((key, Cow::Borrowed(map.next_value::<&RawValue>()?.get())));
            }
        }
        let inside = inside.ok_or_else(|| serde::de::Error::missing_field(self.0))?;
        Ok(Opened { name: self.0, around, inside })
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;
        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::with_capacity(6);
                while let Some(Key(key)) = map.next_key()? {
                    members.push((key, Cow::Borrowed(map.next_value::<&RawValue>()?.get())));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(MembersVisitor)
    }
}

/// An object's key, borrowed where it stands literally.
#[derive(Deserialize)]
#[serde(transparent)]
struct Key<'t>(#[serde(borrow)] Cow<'t, str>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_touched_stays_as_it_was_written() {
        let text = r#"{"jsonrpc":"2.0","id":"a\u2028b","result":{"n":1.50,"k\"":[ 1e400 ],"s":"\u00e9"}}"#;
        let opened = Opened::parse(text, "result").unwrap();
        assert_eq!(opened.inside.get("k\""), Some("[ 1e400 ]"));
        assert_eq!(String::from_utf8(opened.into_line(text)).unwrap(), text);
    }

    #[test]
    fn members_come_and_go_where_they_stand() {
        let mut members = Members::parse(r#"{"a":1,"b":[2,3],"c":4}"#).unwrap();
        members.each("b", |index, item| *item = Value::from(index)).unwrap();
        members.set("missing", "0".to_owned());
        assert_eq!(members.remove("a").as_deref(), Some("1"));
        assert_eq!(members.to_json(), r#"{"b":[0,1],"c":4}"#);
    }

    #[test]
    fn another_shape_is_refused() {
        for text in ["", "[]", "{", r#"{"id":1}"#, r#"{"result":[]}"#, r#"{"result":{}} x"#] {
            assert!(Opened::parse(text, "result").is_err(), "{text}");
        }
    }
}
