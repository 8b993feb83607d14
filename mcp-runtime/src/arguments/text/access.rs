//! Text taken apart: the items of a list, and the name of an enum's variant.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, EnumAccess, Error, SeqAccess, VariantAccess, Visitor};

use super::{PlainText, TextError};

/// The items of a list, separated by a character. An empty text is an empty list.
pub(super) struct Items<'call> {
    rest: Option<&'call str>,
    taken: usize,
    list: PlainText<'call>,
}

impl<'call> Items<'call> {
    /// The items of the list's whole text.
    pub(super) fn new(list: PlainText<'call>) -> Self {
        let rest = (!list.text.trim().is_empty()).then_some(list.text);
        Self { rest, taken: 0, list }
    }

    /// How many items are left.
    pub(super) fn len(&self) -> usize {
        self.rest.map_or(0, |rest| rest.split(self.list.separator).count())
    }
}

impl<'call> SeqAccess<'call> for Items<'call> {
    type Error = TextError;

    fn next_element_seed<S: DeserializeSeed<'call>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, TextError> {
        let Some(rest) = self.rest else {
            return Ok(None);
        };
        let (text, rest) = match rest.split_once(self.list.separator) {
            Some((item, rest)) => (item, Some(rest)),
            None => (rest, None),
        };
        self.rest = rest;
        self.taken += 1;
        match seed.deserialize(PlainText { text, ..self.list }) {
            Ok(item) => Ok(Some(item)),
            Err(error) => Err(error.in_item(self.taken)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.len())
    }
}

/// A variant that is named and carries nothing.
pub(super) struct Variant<'call>(pub(super) &'call str);

impl Variant<'_> {
    /// What to say when the variant of this name wants data.
    fn wants_data(&self) -> TextError {
        let name = self.0;
        TextError::custom(format_args!("\"{name}\" comes with data; send JSON such as {{\"{name}\": ...}}"))
    }
}

impl<'call> EnumAccess<'call> for Variant<'call> {
    type Error = TextError;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'call>>(self, seed: S) -> Result<(S::Value, Self), TextError> {
        let value = seed.deserialize(BorrowedStrDeserializer::new(self.0))?;
        Ok((value, self))
    }
}

impl<'call> VariantAccess<'call> for Variant<'call> {
    type Error = TextError;

    fn unit_variant(self) -> Result<(), TextError> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'call>>(self, _: S) -> Result<S::Value, TextError> {
        Err(self.wants_data())
    }

    fn tuple_variant<V: Visitor<'call>>(self, _: usize, _: V) -> Result<V::Value, TextError> {
        Err(self.wants_data())
    }

    fn struct_variant<V: Visitor<'call>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, TextError> {
        Err(self.wants_data())
    }
}
