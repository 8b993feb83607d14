//! Request bytes, checked once to be UTF-8 and sliced without a copy afterwards.

use std::ops::Range;

use bytes::Bytes;

/// A message as it came from the transport: immutable, cheap to clone, known to be UTF-8.
///
/// "JSON-RPC messages MUST be UTF-8 encoded." (basic/transports, Messages)
#[derive(Clone, Debug)]
pub(crate) struct Text(Bytes);

impl Text {
    /// Checks the bytes once; every later access is free.
    pub(crate) fn new(bytes: Bytes) -> Result<Self, std::str::Utf8Error> {
        std::str::from_utf8(&bytes)?;
        Ok(Self(bytes))
    }

    #[allow(unsafe_code, reason = "a second check of 100 KiB costs more than parsing the envelope")]
    pub(crate) fn as_str(&self) -> &str {
        // SAFETY: `new` is the only constructor and checked exactly these bytes; `Bytes` is immutable and
        // the field is private to this file.
        unsafe { std::str::from_utf8_unchecked(&self.0) }
    }

    /// The part of the text that a [`Span`] names.
    pub(crate) fn get(&self, span: Span) -> &str {
        &self.as_str()[span.range()]
    }

    /// The span of `part`, which must be a slice of this very text.
    pub(crate) fn span_of(&self, part: &str) -> Span {
        let start = part.as_ptr() as usize - self.0.as_ptr() as usize;
        debug_assert!(start + part.len() <= self.0.len());
        Span::new(start, start + part.len())
    }
}

/// A byte range of a [`Text`]; four bytes an end, since a message is far smaller than 4 GiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    fn new(start: usize, end: usize) -> Self {
        let narrow = |n: usize| u32::try_from(n).expect("a message is smaller than 4 GiB");
        Self { start: narrow(start), end: narrow(end) }
    }

    fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A JSON string of the message: a span where it stands there literally, else its unescaped copy.
#[derive(Clone, Debug)]
pub(crate) enum Str {
    Span(Span),
    Owned(Box<str>),
}

impl Str {
    pub(crate) fn get<'t>(&'t self, text: &'t Text) -> &'t str {
        match self {
            Self::Span(span) => text.get(*span),
            Self::Owned(owned) => owned,
        }
    }
}
