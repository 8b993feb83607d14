//! Typed values out of plain text.
//!
//! The arguments of a prompt and the variables of a URI template are strings on the wire and typed in Rust. A string
//! parameter gets its text untouched; a number, a `bool` or an enum reads it; a struct or a map takes it for JSON; a
//! list takes JSON where it begins with `[` and splits at commas otherwise.

mod access;
mod error;

use std::fmt::Display;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Visitor};

use super::lend::{self, RAW_VALUE};
use crate::arena::Arena;
use access::{Items, Variant};
pub(crate) use error::TextError;

/// Reads one value out of `text`. The items of a list that is not JSON are separated by commas.
pub(crate) fn from_text<'call, T: Deserialize<'call>>(
    text: &'call str,
    arena: &'call Arena,
) -> Result<T, TextError> {
    from_text_list(text, ',', arena)
}

/// As [`from_text`], with what separates the items of a list: `/` for `{/path*}`.
pub(crate) fn from_text_list<'call, T: Deserialize<'call>>(
    text: &'call str,
    separator: char,
    arena: &'call Arena,
) -> Result<T, TextError> {
    T::deserialize(PlainText { text, separator, arena })
}

/// A deserializer over plain text.
#[derive(Clone, Copy)]
struct PlainText<'call> {
    text: &'call str,
    separator: char,
    arena: &'call Arena,
}

impl<'call> PlainText<'call> {
    /// Reads an integer, and tells "not an integer" from "an integer that does not fit".
    fn integer<T: FromStr + Display>(self, least: &T, most: &T) -> Result<T, TextError> {
        let text = self.text.trim();
        text.parse().map_err(|_| {
            let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
            if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                TextError::expected(&format_args!("an integer from {least} to {most}"), self.text)
            } else {
                TextError::expected(&"an integer", self.text)
            }
        })
    }

    /// Reads a number that is finite, as JSON's are.
    fn number<T: FromStr>(self, finite: fn(&T) -> bool) -> Result<T, TextError> {
        let number = self.text.trim().parse().ok().filter(finite);
        number.ok_or_else(|| TextError::expected(&"a number", self.text))
    }

    /// Whether the text is meant as the JSON that begins with `opening`.
    fn opens_with(self, opening: char) -> bool {
        self.text.trim_start().starts_with(opening)
    }

    /// Reads the text as JSON, which was expected to be `what`.
    fn json<T>(
        self,
        what: &str,
        read: impl FnOnce(lend::Json<'_, 'call>) -> Result<T, serde_json::Error>,
    ) -> Result<T, TextError> {
        lend::with_json(self.text, self.arena, read)
            .map_err(|failure| TextError::json(what, self.text, failure))
    }

    /// Reads a JSON object.
    fn object<T>(
        self,
        read: impl FnOnce(lend::Json<'_, 'call>) -> Result<T, serde_json::Error>,
    ) -> Result<T, TextError> {
        if !self.opens_with('{') {
            return Err(TextError::expected(&"a JSON object", self.text));
        }
        self.json("a JSON object", read)
    }

    /// Reads a list, of `len` items if that is fixed.
    fn list<V: Visitor<'call>>(self, len: Option<usize>, visitor: V) -> Result<V::Value, TextError> {
        if self.opens_with('[') {
            return self.json("a JSON array", |json| match len {
                Some(len) => json.deserialize_tuple(len, visitor),
                None => json.deserialize_seq(visitor),
            });
        }
        let mut items = Items::new(self);
        if let Some(len) = len.filter(|len| *len != items.len()) {
            let what = format_args!("{len} items separated by \"{}\"", self.separator);
            return Err(TextError::expected(&what, self.text));
        }
        visitor.visit_seq(&mut items)
    }
}

/// Methods that read an integer.
macro_rules! integers {
    ($($method:ident $visit:ident $int:ident,)*) => {$(
        fn $method<V: Visitor<'call>>(self, visitor: V) -> Result<V::Value, TextError> {
            visitor.$visit(self.integer(&$int::MIN, &$int::MAX)?)
        }
    )*};
}

impl<'call> Deserializer<'call> for PlainText<'call> {
    type Error = TextError;

    integers! {
        deserialize_i8 visit_i8 i8,
        deserialize_i16 visit_i16 i16,
        deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64,
        deserialize_i128 visit_i128 i128,
        deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64,
        deserialize_u128 visit_u128 u128,
    }

    fn deserialize_f32<V: Visitor<'call>>(self, visitor: V) -> Result<V::Value, TextError> {
        visitor.visit_f32(self.number(|number: &f32| number.is_finite())?)
    }

    fn deserialize_f64<V: Visitor<'call>>(self, visitor: V) -> Result<V::Value, TextError> {
        visitor.visit_f64(self.number(|number: &f64| number.is_finite())?)
    }

    fn deserialize_any<V: Visitor<'call>>(self, visitor: V) -> Result<V::Value, TextError> {
        visitor.visit_borrowed_str(self.text)
    }

    fn deserialize_bool<V: Visitor<'call>>(self, visitor: V) -> Result<V::Value, TextError> {
        let text = self.text.trim();
        if text.eq_ignore_ascii_case("true") {
            visitor.visit_bool(true)
        } else if text.eq_ignore_ascii_case("false") {
            visitor.visit_bool(false)
        } else {
            Err(TextError::expected(&"\"true\" or \"false\"", self.text))
        }
    }

    fn deserialize_char<V: Visitor<'call>>(self, visitor: V) -> Result<V::Value, TextError> {
        let mut chars = self.text.chars();
        match (chars.next(), chars.next()) {
            (Some(only), None) => visitor.visit_char(only),
            _ => Err(TextError::expected(&"one character", self.text)),
        }
    }

    fn deserialize_bytes<V: Visitor<'call>>(self, visitor: V) -> Result<V::Value, TextError> {
        visitor.visit_borrowed_bytes(self.text.as_bytes())
    }

    fn deserialize_byte_buf<V: Visitor<'call>>(self, visitor: V) -> Result<V::Value, TextError> {
        self.deserialize_bytes(visitor)
    }

    /// Text that is there; an absent argument never comes here.
    fn deserialize_option<V: Visitor<'call>>(self, visitor: V) -> Result<V::Value, TextError> {
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'call>>(self, visitor: V) -> Result<V::Value, TextError> {
        if self.text.trim().is_empty() {
            visitor.visit_unit()
        } else {
            Err(TextError::expected(&"an empty text", self.text))
        }
    }

    fn deserialize_unit_struct<V: Visitor<'call>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, TextError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'call>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, TextError> {
        if name == RAW_VALUE {
            return self.json("JSON", |json| json.deserialize_newtype_struct(name, visitor));
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'call>>(self, visitor: V) -> Result<V::Value, TextError> {
        self.list(None, visitor)
    }

    fn deserialize_tuple<V: Visitor<'call>>(self, len: usize, visitor: V) -> Result<V::Value, TextError> {
        self.list(Some(len), visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'call>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, TextError> {
        self.list(Some(len), visitor)
    }

    fn deserialize_map<V: Visitor<'call>>(self, visitor: V) -> Result<V::Value, TextError> {
        self.object(|json| json.deserialize_map(visitor))
    }

    fn deserialize_struct<V: Visitor<'call>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TextError> {
        self.object(|json| json.deserialize_struct(name, fields, visitor))
    }

    /// A bare name for a variant without data; JSON for one with.
    fn deserialize_enum<V: Visitor<'call>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TextError> {
        if self.opens_with('{') {
            return self.object(|json| json.deserialize_enum(name, variants, visitor));
        }
        visitor.visit_enum(Variant(self.text.trim()))
    }

    fn deserialize_ignored_any<V: Visitor<'call>>(self, visitor: V) -> Result<V::Value, TextError> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! { <V: Visitor<'call>> str string identifier }
}

#[cfg(test)]
mod tests;
