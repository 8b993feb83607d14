//! Which paths are refused, and what is said about them.

use std::fmt;

/// How much of a refused path its error repeats, in characters.
const SHOWN: usize = 100;

/// Why a path is not a [`SafePath`](super::SafePath), in a sentence for whoever sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsafePath {
    /// The path, cut where it gets long.
    path: String,
    /// What is wrong with "it".
    reason: &'static str,
}

impl UnsafePath {
    /// Refuses a path for a reason.
    pub(super) fn new(path: &str, reason: &'static str) -> Self {
        let path = path.chars().take(SHOWN).collect();
        Self { path, reason }
    }
}

impl fmt::Display for UnsafePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, reason } = self;
        write!(
            formatter,
            "{path:?} is not a safe path: {reason}. Send a relative path such as \"notes/today.md\"."
        )
    }
}

impl std::error::Error for UnsafePath {}

/// What is wrong with the path, if anything.
pub(super) fn reason_to_refuse(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        return Some("it is empty");
    }
    if path.contains('\0') {
        return Some("it contains a NUL character");
    }
    if path.contains('\\') {
        return Some("it contains a backslash; components are separated by \"/\"");
    }
    if path.starts_with('/') {
        return Some("it is absolute");
    }
    if hides_a_separator(path) {
        return Some("it is percent-encoded twice; encode each character once at most");
    }
    path.split('/').find_map(reason_to_refuse_component)
}

/// What is wrong with what stands between two slashes, if anything.
fn reason_to_refuse_component(component: &str) -> Option<&'static str> {
    let bytes = component.as_bytes();
    match component {
        ".." => Some("it steps out of its folder with \"..\""),
        "." => Some("it contains the component \".\", which can be left out"),
        _ if component.ends_with(['.', ' ']) => {
            Some("a component ends with a dot or a space, which some systems drop")
        }
        _ if bytes.len() > 1 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' => {
            Some("it names a drive")
        }
        _ if cfg!(windows) && component.contains(':') => Some("it contains a colon"),
        _ => None,
    }
}

/// Whether decoding the path once more, or several times, would bring up a dot, a separator or NUL.
fn hides_a_separator(path: &str) -> bool {
    path.split('%').skip(1).any(|mut code| {
        // `%25` is the percent sign itself: `%252e` is `.` encoded twice.
        while let Some(rest) = code.strip_prefix("25") {
            code = rest;
        }
        code.get(..2).is_some_and(|digits| {
            ["2e", "2f", "5c", "00"].iter().any(|hidden| digits.eq_ignore_ascii_case(hidden))
        })
    })
}
