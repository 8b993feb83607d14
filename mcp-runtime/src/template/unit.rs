//! The characters of a URI, as RFC 3986 compares them.

/// One character of a URI with its encoding normalised: `%41` is the character `A`, and `%2f` is `%2F`, which is not `/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// The byte that it stands for.
    pub(super) byte: u8,
    /// Whether it is percent-encoded, and has to be.
    pub(super) encoded: bool,
}

impl Unit {
    /// The character as it is written.
    pub(super) const fn plain(byte: u8) -> Self {
        Self { byte, encoded: false }
    }

    /// Reads the character at `at` and says how many bytes it takes up. `None` at the end, and for a `%` without two
    /// hexadecimal digits behind it.
    pub(super) fn read(bytes: &[u8], at: usize) -> Option<(Self, usize)> {
        let byte = *bytes.get(at)?;
        if byte == b'%' {
            let high = hex_digit(*bytes.get(at + 1)?)?;
            let low = hex_digit(*bytes.get(at + 2)?)?;
            let byte = high << 4 | low;
            let encoded = !is_unreserved(byte);
            return Some((Self { byte, encoded }, 3));
        }
        let encoded = !byte.is_ascii();
        Some((Self { byte, encoded }, 1))
    }
}

/// A set of characters that a variable's value consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// What `{x}` expands to, unreserved or percent-encoded, and what people and models leave unencoded where it
    /// separates nothing.
    Simple,
    /// As `Simple`, without the encoded slash: a segment of `{/x*}`.
    Segment,
    /// Reserved characters too: `{+x}`.
    Reserved,
}

impl Class {
    /// Whether the character belongs to the class.
    pub(super) const fn contains(self, unit: Unit) -> bool {
        match self {
            Self::Simple => unit.encoded || is_unreserved(unit.byte) || separates_nothing(unit.byte),
            Self::Segment => Self::Simple.contains(unit) && !matches!(unit.byte, b'/'),
            Self::Reserved => unit.encoded || is_unreserved(unit.byte) || is_reserved(unit.byte),
        }
    }

    /// The width of the character at `at`, if it belongs to the class.
    pub(super) fn width_at(self, bytes: &[u8], at: usize) -> Option<usize> {
        let (unit, width) = Unit::read(bytes, at)?;
        self.contains(unit).then_some(width)
    }
}

/// RFC 3986, section 2.3.
pub(super) const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Reserved characters that stand for themselves in a path segment and in a query value (RFC 3986, section 3.3), and
/// that no operator of a template puts between values.
const fn separates_nothing(byte: u8) -> bool {
    matches!(byte, b':' | b'@' | b'!' | b'$' | b'\'' | b'(' | b')' | b'*' | b'+')
}

/// RFC 3986, section 2.2.
pub(super) const fn is_reserved(byte: u8) -> bool {
    matches!(
        byte,
        b':' | b'/'
            | b'?'
            | b'#'
            | b'['
            | b']'
            | b'@'
            | b'!'
            | b'$'
            | b'&'
            | b'\''
            | b'('
            | b')'
            | b'*'
            | b'+'
            | b','
            | b';'
            | b'='
    )
}

/// The value of a hexadecimal digit.
const fn hex_digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, Unit};

    fn encoded(byte: u8) -> Unit {
        Unit { byte, encoded: true }
    }

    #[test]
    fn encoding_is_normalised() {
        assert_eq!(Unit::read(b"A", 0), Some((Unit::plain(b'A'), 1)));
        assert_eq!(Unit::read(b"%41", 0), Some((Unit::plain(b'A'), 3)));
        assert_eq!(Unit::read(b"x%2f", 1), Some((encoded(b'/'), 3)));
        assert_eq!(Unit::read(b"%2F", 0), Some((encoded(b'/'), 3)));
        assert_eq!(Unit::read("é".as_bytes(), 0), Some((encoded(0xC3), 1)));
        assert_eq!(Unit::read(b"%C3", 0), Some((encoded(0xC3), 3)));
    }

    #[test]
    fn a_broken_escape_is_no_character() {
        assert_eq!(Unit::read(b"", 0), None);
        assert_eq!(Unit::read(b"%", 0), None);
        assert_eq!(Unit::read(b"%4", 0), None);
        assert_eq!(Unit::read(b"%4g", 0), None);
    }

    #[test]
    fn classes() {
        let in_classes =
            |unit| [Class::Simple, Class::Segment, Class::Reserved].map(|class| class.contains(unit));
        assert_eq!(in_classes(Unit::plain(b'~')), [true, true, true]);
        assert_eq!(in_classes(encoded(b'?')), [true, true, true]);
        assert_eq!(in_classes(encoded(b'/')), [true, false, true]);
        assert_eq!(in_classes(Unit::plain(b'/')), [false, false, true]);
        assert_eq!(in_classes(Unit::plain(b' ')), [false, false, false]);
    }
}
