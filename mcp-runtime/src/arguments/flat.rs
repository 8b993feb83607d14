//! A struct whose fields are the arguments.

use std::cell::Cell;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::lend::{self, Failure};
use crate::arena::Arena;
use crate::schema::path::{Path, Segment};

/// Decodes a struct from named raw values, each read where it stands.
pub(super) fn from_pairs<'call, T: Deserialize<'call>>(
    pairs: impl Iterator<Item = (&'call str, &'call str)>,
    arena: &'call Arena,
) -> Result<T, Failure> {
    let path = Cell::default();
    T::deserialize(Pairs { rest: pairs, latest: None, arena, path: &path })
        .map_err(|error| Failure { error, path: path.take() })
}

/// The same pairs as one value, for the messages.
pub(super) fn to_value<'call>(pairs: impl Iterator<Item = (&'call str, &'call str)>) -> Value {
    let parse = |json: &str| serde_json::from_str(json).unwrap_or_else(|_| json.into());
    Value::Object(pairs.map(|(name, json)| (name.to_owned(), parse(json))).collect::<Map<_, _>>())
}

struct Pairs<'p, 'call, I> {
    rest: I,
    /// The pair whose value is to be read next.
    latest: Option<(&'call str, &'call str)>,
    arena: &'call Arena,
    /// Where the latest failure was.
    path: &'p Cell<Path>,
}

impl<'de, I: Iterator<Item = (&'de str, &'de str)>> Deserializer<'de> for Pairs<'_, 'de, I> {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_map(self)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'call, I: Iterator<Item = (&'call str, &'call str)>> MapAccess<'call> for Pairs<'_, 'call, I> {
    type Error = serde_json::Error;

    fn next_key_seed<K: serde::de::DeserializeSeed<'call>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Self::Error> {
        self.latest = self.rest.next();
        let Some((name, _)) = self.latest else { return Ok(None) };
        seed.deserialize(serde::de::value::BorrowedStrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<V: serde::de::DeserializeSeed<'call>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, Self::Error> {
        let (name, json) = self.latest.take().expect("serde asks for a value after its key");
        lend::with_json(json, self.arena, |deserializer| seed.deserialize(deserializer)).map_err(|failure| {
            let mut path = failure.path;
            path.0.insert(0, Segment::Key(name.to_owned()));
            self.path.set(path);
            failure.error
        })
    }
}
