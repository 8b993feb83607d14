//! Lending reaches through containers: the seeds of items, keys, values and variants are wrapped on the way in.

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};

use super::Lend;

impl<'call, S: DeserializeSeed<'call>> DeserializeSeed<'call> for Lend<'_, 'call, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'call>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        let deserializer = self.wrap(deserializer);
        self.inner.deserialize(deserializer)
    }
}

impl<'call, A: SeqAccess<'call>> SeqAccess<'call> for Lend<'_, 'call, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'call>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let seed = self.wrap(seed);
        self.inner.next_element_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'call, A: MapAccess<'call>> MapAccess<'call> for Lend<'_, 'call, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'call>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let seed = self.wrap(seed);
        self.inner.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'call>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let seed = self.wrap(seed);
        self.inner.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'c, 'call, A: EnumAccess<'call>> EnumAccess<'call> for Lend<'c, 'call, A> {
    type Error = A::Error;
    type Variant = Lend<'c, 'call, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'call>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        let cursor = self.cursor;
        let seed = self.wrap(seed);
        let (value, inner) = self.inner.variant_seed(seed)?;
        Ok((value, Lend { inner, cursor }))
    }
}

impl<'call, A: VariantAccess<'call>> VariantAccess<'call> for Lend<'_, 'call, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'call>>(self, seed: S) -> Result<S::Value, A::Error> {
        let seed = self.wrap(seed);
        self.inner.newtype_variant_seed(seed)
    }

    fn tuple_variant<V: Visitor<'call>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        let visitor = self.wrap(visitor);
        self.inner.tuple_variant(len, visitor)
    }

    fn struct_variant<V: Visitor<'call>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = self.wrap(visitor);
        self.inner.struct_variant(fields, visitor)
    }
}
