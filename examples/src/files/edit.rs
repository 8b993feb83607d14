//! Replacing a text, and showing the change.

use std::fmt::Write as _;

use super::Result;

/// Where `old` is, which has to be once, and the text with `new` in its place.
pub(super) fn replace_once(text: &str, old: &str, new: &str) -> Result<(usize, String)> {
    if old.is_empty() {
        return Err("old_text is empty: say which text to replace".into());
    }
    let line_of = |at: usize| text[..at].matches('\n').count() + 1;
    let mut places = text.match_indices(old).map(|(at, _)| at);
    match (places.next(), places.next()) {
        (Some(at), None) => Ok((at, [&text[..at], new, &text[at + old.len()..]].concat())),
        (Some(first), Some(second)) => {
            let lines: Vec<_> =
                [first, second].into_iter().chain(places).map(|at| line_of(at).to_string()).collect();
            let (count, lines) = (lines.len(), lines.join(", "));
            Err(format!("old_text is there {count} times, in lines {lines}: add a line before or after it")
                .into())
        }
        (None, _) => {
            let wanted = old.trim().lines().next().unwrap_or_default().trim();
            let near = text.lines().enumerate().find(|(_, line)| !wanted.is_empty() && line.trim() == wanted);
            Err(match near {
                Some((line, _)) => {
                    format!("old_text is not in the file; line {} begins like it, with other white space or lines behind", line + 1)
                }
                None => "old_text is not in the file: read the file, and send it as it stands there".to_owned(),
            }
            .into())
        }
    }
}

/// A unified diff of two texts that differ in one place, which begins at byte `at`.
pub(super) fn diff(path: &str, old: &str, new: &str, at: usize) -> String {
    const CONTEXT: usize = 3;
    let (before, after): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let first = old[..at].matches('\n').count();
    let same_behind = before.iter().rev().zip(after.iter().rev()).take_while(|(a, b)| a == b).count();
    let same_behind =
        same_behind.min(before.len().saturating_sub(first)).min(after.len().saturating_sub(first));
    let from = first.saturating_sub(CONTEXT);
    let (old_end, new_end) = (before.len() - same_behind, after.len() - same_behind);
    let behind = same_behind.min(CONTEXT);
    let mut diff = format!(
        "--- {path}\n+++ {path}\n@@ -{},{} +{},{} @@\n",
        from + 1,
        old_end + behind - from,
        from + 1,
        new_end + behind - from
    );
    let parts = [
        (' ', &before[from..first.min(old_end)]),
        ('-', &before[first.min(old_end)..old_end]),
        ('+', &after[first.min(new_end)..new_end]),
        (' ', &before[old_end..old_end + behind]),
    ];
    for (sign, lines) in parts {
        for line in lines {
            let _ = writeln!(diff, "{sign}{line}");
        }
    }
    diff
}
