//! The visitor's side of lending: where a transient string becomes a borrowed one.

use std::fmt;

use serde::de::{Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Visitor};

use super::Lend;
use super::access::Counted;

/// Visits that carry no string.
macro_rules! pass_through {
    ($($method:ident($type:ty))*) => {$(
        fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.inner.$method(value)
        }
    )*};
}

impl<'call, V: Visitor<'call>> Visitor<'call> for Lend<'_, 'call, V> {
    type Value = V::Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(formatter)
    }

    pass_through! {
        visit_bool(bool)
        visit_i8(i8) visit_i16(i16) visit_i32(i32) visit_i64(i64) visit_i128(i128)
        visit_u8(u8) visit_u16(u16) visit_u32(u32) visit_u64(u64) visit_u128(u128)
        visit_f32(f32) visit_f64(f64)
        visit_char(char)
        visit_borrowed_str(&'call str)
        visit_bytes(&[u8]) visit_borrowed_bytes(&'call [u8]) visit_byte_buf(Vec<u8>)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<V::Value, E> {
        self.inner.visit_borrowed_str(self.shared.cursor.store(value))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<V::Value, E> {
        self.inner.visit_borrowed_str(self.shared.cursor.store(value))
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'call>>(self, value: D) -> Result<V::Value, D::Error> {
        let value = self.wrap(value);
        self.inner.visit_some(value)
    }

    fn visit_newtype_struct<D: Deserializer<'call>>(self, value: D) -> Result<V::Value, D::Error> {
        let value = self.wrap(value);
        self.inner.visit_newtype_struct(value)
    }

    fn visit_seq<A: SeqAccess<'call>>(self, items: A) -> Result<V::Value, A::Error> {
        let items = Counted::new(self.shared, items);
        self.inner.visit_seq(items)
    }

    fn visit_map<A: MapAccess<'call>>(self, entries: A) -> Result<V::Value, A::Error> {
        let entries = Counted::new(self.shared, entries);
        self.inner.visit_map(entries)
    }

    fn visit_enum<A: EnumAccess<'call>>(self, variant: A) -> Result<V::Value, A::Error> {
        let variant = self.wrap(variant);
        self.inner.visit_enum(variant)
    }
}
