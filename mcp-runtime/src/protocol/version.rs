//! Protocol revisions.

/// A revision with per-request `_meta` ("modern" in basic/versioning, Terminology).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProtocolVersion {
    V2026_07_28,
}

/// The modern revisions that this crate speaks, newest first.
pub(crate) const MODERN_VERSIONS: &[&str] = &[ProtocolVersion::V2026_07_28.as_str()];

impl ProtocolVersion {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        (text == Self::V2026_07_28.as_str()).then_some(Self::V2026_07_28)
    }
}
