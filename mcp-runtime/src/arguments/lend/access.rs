//! Lending reaches through containers: the seeds of items, keys, values and variants are wrapped on the way in. On the
//! way out, an error finds the position of the value that it is about.

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};

use super::{Lend, Shared};

impl<'call, S: DeserializeSeed<'call>> DeserializeSeed<'call> for Lend<'_, 'call, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'call>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        let deserializer = self.wrap(deserializer);
        self.inner.deserialize(deserializer)
    }
}

/// The access to an array or an object.
pub(super) struct Counted<'c, 'call, A> {
    inner: A,
    shared: &'c Shared<'call>,
    /// How many items or keys were asked for.
    asked: usize,
}

impl<'c, 'call, A> Counted<'c, 'call, A> {
    pub(super) const fn new(shared: &'c Shared<'call>, inner: A) -> Self {
        Self { inner, shared, asked: 0 }
    }

    const fn wrap<S>(&self, inner: S) -> Lend<'c, 'call, S> {
        Lend { inner, shared: self.shared }
    }

    /// Notes how the latest item or value ended.
    #[inline]
    fn note(&self, failed: bool) {
        self.shared.trace.note(self.asked.saturating_sub(1), failed);
    }
}

impl<'call, A: SeqAccess<'call>> SeqAccess<'call> for Counted<'_, 'call, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'call>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.asked += 1;
        let seed = self.wrap(seed);
        let item = self.inner.next_element_seed(seed);
        self.note(item.is_err());
        item
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'call, A: MapAccess<'call>> MapAccess<'call> for Counted<'_, 'call, A> {
    type Error = A::Error;

    /// A key that is refused is not a place of its own: the object is.
    fn next_key_seed<S: DeserializeSeed<'call>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.asked += 1;
        let seed = self.wrap(seed);
        let key = self.inner.next_key_seed(seed);
        if key.is_err() {
            self.shared.trace.forget();
        }
        key
    }

    fn next_value_seed<S: DeserializeSeed<'call>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let seed = self.wrap(seed);
        let value = self.inner.next_value_seed(seed);
        self.note(value.is_err());
        value
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'c, 'call, A: EnumAccess<'call>> EnumAccess<'call> for Lend<'c, 'call, A> {
    type Error = A::Error;
    type Variant = Lend<'c, 'call, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'call>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        let shared = self.shared;
        let seed = self.wrap(seed);
        let (value, inner) = self.inner.variant_seed(seed)?;
        Ok((value, Lend { inner, shared }))
    }
}

/// The content of a variant is the one value of the object that its name is the key of.
impl<'call, A: VariantAccess<'call>> VariantAccess<'call> for Lend<'_, 'call, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        let content = self.inner.unit_variant();
        self.shared.trace.note(0, content.is_err());
        content
    }

    fn newtype_variant_seed<S: DeserializeSeed<'call>>(self, seed: S) -> Result<S::Value, A::Error> {
        let seed = self.wrap(seed);
        let content = self.inner.newtype_variant_seed(seed);
        self.shared.trace.note(0, content.is_err());
        content
    }

    fn tuple_variant<V: Visitor<'call>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        let visitor = self.wrap(visitor);
        let content = self.inner.tuple_variant(len, visitor);
        self.shared.trace.note(0, content.is_err());
        content
    }

    fn struct_variant<V: Visitor<'call>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = self.wrap(visitor);
        let content = self.inner.struct_variant(fields, visitor);
        self.shared.trace.note(0, content.is_err());
        content
    }
}
