//! JSON whose strings can be borrowed, escapes or not.
//!
//! `serde_json` lends a string out of its input only where the input spells it without escapes; `"a\nb"` reaches the
//! visitor as a transient string, and a `&str` parameter fails with "expected a borrowed string". Here, such a string
//! is copied once into the call's [`Arena`] and lent from there. A type that owns its text (`String`) asks for a
//! string it may keep, gets it directly, and costs the arena nothing.
//!
//! Strings that are buffered by serde before it knows what they are for (untagged and internally tagged enums, flattened
//! maps) may end in a `&str` too; the escaped ones among them are therefore lent as well.

mod access;
mod visitor;

use serde::de::{Deserialize, Deserializer, Visitor};
use serde_json::Error;
use serde_json::de::StrRead;
use serde_path_to_error::Track;

use crate::arena::{Arena, Cursor};

/// The name under which `serde_json` recognises its `RawValue`; the visitor behind it expects `serde_json`'s own access.
pub(super) const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// Deserializes one JSON value; anything but white space behind it is an error.
pub(crate) fn from_json<'call, T: Deserialize<'call>>(
    json: &'call str,
    arena: &'call Arena,
) -> Result<T, Error> {
    with_json(json, arena, |deserializer| T::deserialize(deserializer))
}

/// As [`from_json`], and a failure also says at which path inside the value it is.
///
/// It instantiates `T`'s deserialization once more, with tracking around it.
pub(crate) fn from_json_with_path<'call, T: Deserialize<'call>>(
    json: &'call str,
    arena: &'call Arena,
) -> Result<T, serde_path_to_error::Error<Error>> {
    let mut track = Track::new();
    let value = with_json(json, arena, |deserializer| {
        T::deserialize(serde_path_to_error::Deserializer::new(deserializer, &mut track))
    });
    value.map_err(|error| serde_path_to_error::Error::new(track.path(), error))
}

/// The lending deserializer over JSON.
pub(super) type Json<'c, 'call> = Lend<'c, 'call, &'c mut serde_json::Deserializer<StrRead<'call>>>;

/// Runs `read` on a lending deserializer over the whole of `json`.
pub(super) fn with_json<'call, T>(
    json: &'call str,
    arena: &'call Arena,
    read: impl FnOnce(Json<'_, 'call>) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let cursor = arena.cursor();
    let value = read(Lend { inner: &mut deserializer, cursor: &cursor })?;
    deserializer.end()?;
    Ok(value)
}

/// A deserializer, visitor, seed or access of serde that lends unescaped strings from the arena.
pub(super) struct Lend<'c, 'call, T> {
    inner: T,
    cursor: &'c Cursor<'call>,
}

impl<'c, 'call, T> Lend<'c, 'call, T> {
    /// Wraps the next thing that serde hands over.
    const fn wrap<U>(&self, inner: U) -> Lend<'c, 'call, U> {
        Lend { inner, cursor: self.cursor }
    }
}

/// Methods whose visitor meets no string that it could keep borrowed.
macro_rules! pass_through {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'call>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$method(visitor)
        }
    )*};
}

/// Methods whose visitor meets strings, or values that contain strings.
macro_rules! lend_through {
    ($($method:ident($($name:ident: $type:ty),*))*) => {$(
        fn $method<V: Visitor<'call>>(self, $($name: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            let visitor = self.wrap(visitor);
            self.inner.$method($($name,)* visitor)
        }
    )*};
}

impl<'call, D: Deserializer<'call>> Deserializer<'call> for Lend<'_, 'call, D> {
    type Error = D::Error;

    pass_through! {
        deserialize_bool
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64
        deserialize_char deserialize_string deserialize_bytes deserialize_byte_buf
        deserialize_unit deserialize_ignored_any
    }

    lend_through! {
        deserialize_any()
        deserialize_str()
        deserialize_identifier()
        deserialize_option()
        deserialize_seq()
        deserialize_map()
        deserialize_tuple(len: usize)
        deserialize_unit_struct(name: &'static str)
        deserialize_tuple_struct(name: &'static str, len: usize)
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }

    fn deserialize_newtype_struct<V: Visitor<'call>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        if name == RAW_VALUE {
            return self.inner.deserialize_newtype_struct(name, visitor);
        }
        let visitor = self.wrap(visitor);
        self.inner.deserialize_newtype_struct(name, visitor)
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

#[cfg(test)]
mod tests;
