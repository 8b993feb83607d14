//! Which clients are served.

/// The clients that a server serves (basic/versioning, Terminology).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Eras {
    /// Those of revision 2026-07-28, whose requests stand for themselves. An `initialize` is refused with the revisions
    /// that are served.
    Modern,
    /// Those of 2025-11-25 and before, which begin a session with `initialize`.
    Legacy,
    /// Both, at once, on one endpoint and on one pair of streams.
    #[default]
    Both,
}

impl Eras {
    pub(crate) fn has_modern(self) -> bool {
        self != Self::Legacy
    }

    pub(crate) fn has_legacy(self) -> bool {
        self != Self::Modern
    }
}
