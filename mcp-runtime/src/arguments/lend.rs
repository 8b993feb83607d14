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
mod trace;
mod visitor;

use serde::de::{Deserialize, Deserializer, Visitor};
use serde_json::Error;
use serde_json::de::StrRead;

use crate::arena::{Arena, Cursor};
use crate::schema::path::Path;
use trace::Trace;

/// The name under which `serde_json` recognises its `RawValue`; the visitor behind it expects `serde_json`'s own access.
pub(super) const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// Why a value could not be decoded.
#[derive(Debug)]
pub(crate) struct Failure {
    /// What is wrong.
    pub(crate) error: Error,
    /// Where in the value it is.
    pub(crate) path: Path,
}

/// Deserializes one JSON value; anything but white space behind it is an error.
pub(crate) fn from_json<'call, T: Deserialize<'call>>(
    json: &'call str,
    arena: &'call Arena,
) -> Result<T, Failure> {
    with_json(json, arena, |deserializer| T::deserialize(deserializer))
}

/// The lending deserializer over JSON.
pub(super) type Json<'c, 'call> = Lend<'c, 'call, &'c mut serde_json::Deserializer<StrRead<'call>>>;

/// Runs `read` on a lending deserializer over the whole of `json`.
pub(super) fn with_json<'call, T>(
    json: &'call str,
    arena: &'call Arena,
    read: impl FnOnce(Json<'_, 'call>) -> Result<T, Error>,
) -> Result<T, Failure> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let shared = Shared { cursor: arena.cursor(), trace: Trace::new() };
    match read(Lend { inner: &mut deserializer, shared: &shared }) {
        Ok(value) => match deserializer.end() {
            Ok(()) => Ok(value),
            Err(error) => Err(Failure { error, path: Path::default() }),
        },
        Err(error) => Err(Failure { error, path: shared.trace.path(json) }),
    }
}

/// What all the wrappers around one value share.
struct Shared<'call> {
    cursor: Cursor<'call>,
    trace: Trace,
}

/// A deserializer, visitor, seed or access of serde that lends unescaped strings from the arena.
pub(super) struct Lend<'c, 'call, T> {
    inner: T,
    shared: &'c Shared<'call>,
}

impl<'c, 'call, T> Lend<'c, 'call, T> {
    /// Wraps the next thing that serde hands over.
    const fn wrap<U>(&self, inner: U) -> Lend<'c, 'call, U> {
        Lend { inner, shared: self.shared }
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
