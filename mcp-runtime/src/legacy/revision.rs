//! The revisions with an `initialize` handshake, and what each of them has.

use std::fmt;

/// A revision before 2026-07-28 ("legacy" in basic/versioning, Terminology); a later one is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Revision {
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
}

impl Revision {
    /// All of them, newest first.
    pub(crate) const ALL: &[Self] =
        &[Self::V2025_11_25, Self::V2025_06_18, Self::V2025_03_26, Self::V2024_11_05];

    /// The newest.
    pub(crate) const LATEST: Self = Self::V2025_11_25;

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|revision| revision.as_str() == text)
    }

    /// "If the server supports the requested protocol version, it MUST respond with the same version. Otherwise, the
    /// server MUST respond with another protocol version it supports. This SHOULD be the *latest* version supported
    /// by the server." (2025-11-25, basic/lifecycle, Version Negotiation)
    pub(crate) fn negotiate(requested: &str) -> Self {
        Self::parse(requested).unwrap_or(Self::LATEST)
    }

    /// Several messages in one array. Added by 2025-03-26, and taken back by the next.
    pub(crate) fn has_batches(self) -> bool {
        self == Self::V2025_03_26
    }

    /// `annotations` of a tool.
    pub(crate) fn has_tool_annotations(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// Content of type `audio`.
    pub(crate) fn has_audio(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// `message` of `notifications/progress`.
    pub(crate) fn has_progress_messages(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// The server's capability `completions`; `completion/complete` itself is older.
    pub(crate) fn has_completions_capability(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// `title` of a server, tool, resource, prompt or argument.
    pub(crate) fn has_titles(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// `structuredContent`, and the `outputSchema` that describes it; both are objects.
    pub(crate) fn has_structured_content(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Content of type `resource_link`.
    pub(crate) fn has_resource_links(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// `lastModified` among the annotations of content and resources.
    pub(crate) fn has_last_modified(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// `_meta` on what a result consists of: content, tools, resources, prompts. Results themselves always had it.
    pub(crate) fn has_item_meta(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// `elicitation/create`.
    pub(crate) fn has_elicitation(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// `mode` of an elicitation with `url` beside `form`, and forms with defaults, titled and multiple choices.
    pub(crate) fn has_elicitation_modes(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// `tools` of `sampling/createMessage`, and messages of several blocks.
    pub(crate) fn has_sampling_tools(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Event streams that begin with an event to resume them from, and that a server lets go of and takes up again.
    #[cfg(feature = "http")]
    pub(crate) fn has_polling(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// `icons` of a server, tool, resource or prompt.
    pub(crate) fn has_icons(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// `description` and `websiteUrl` of a server.
    pub(crate) fn has_server_description(self) -> bool {
        self >= Self::V2025_11_25
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Revision;

    #[test]
    fn a_supported_version_is_answered_with_itself_and_another_with_the_latest() {
        for (requested, negotiated) in [
            ("2024-11-05", "2024-11-05"),
            ("2025-03-26", "2025-03-26"),
            ("2025-06-18", "2025-06-18"),
            ("2025-11-25", "2025-11-25"),
            ("2026-07-28", "2025-11-25"),
            ("1.0.0", "2025-11-25"),
            ("", "2025-11-25"),
        ] {
            assert_eq!(Revision::negotiate(requested).as_str(), negotiated, "{requested:?}");
        }
    }

    #[test]
    fn all_are_listed_from_the_latest_on() {
        assert_eq!(Revision::ALL[0], Revision::LATEST);
        assert!(Revision::ALL.is_sorted_by(|newer, older| newer > older));
        assert!(Revision::ALL.iter().all(|revision| Revision::parse(revision.as_str()) == Some(*revision)));
    }

    #[test]
    fn batches_are_of_one_revision() {
        let with: Vec<_> = Revision::ALL.iter().filter(|revision| revision.has_batches()).collect();
        assert_eq!(with, [&Revision::V2025_03_26]);
    }
}
