//! Patterns for paths.

/// `?` and `*` stand for what is in one component of a path, `**` for any of it; never slower than the product of the
/// lengths.
pub(super) fn matches(pattern: &str, path: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let path: Vec<char> = path.chars().collect();
    // Which ends of the path's beginnings the pattern's beginning matches.
    let mut ends = vec![false; path.len() + 1];
    ends[0] = true;
    let mut rest = &pattern[..];
    while let Some((&first, behind)) = rest.split_first() {
        let any = first == '*' && behind.first() == Some(&'*');
        rest = if any { &behind[1..] } else { behind };
        let mut next = vec![false; path.len() + 1];
        if any {
            // `a/**/b` is also `a/b`.
            let slash = rest.first() == Some(&'/');
            let mut reached = false;
            for at in 0..=path.len() {
                reached |= ends[at];
                next[at] = reached;
            }
            if slash {
                rest = &rest[1..];
                for at in (0..=path.len()).rev() {
                    next[at] = ends[at] || at > 0 && next[at] && path[at - 1] == '/';
                }
            }
        } else if first == '*' {
            for at in 0..=path.len() {
                next[at] = ends[at] || at > 0 && next[at - 1] && path[at - 1] != '/';
            }
        } else {
            for at in 1..=path.len() {
                let fits = path[at - 1] == first || first == '?' && path[at - 1] != '/';
                next[at] = ends[at - 1] && fits;
            }
        }
        ends = next;
    }
    ends[path.len()]
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_by_component() {
        assert!(matches("*.rs", "main.rs"));
        assert!(!matches("*.rs", "src/main.rs"));
        assert!(matches("**/*.rs", "src/bin/main.rs"));
        assert!(matches("**/*.rs", "main.rs"));
        assert!(matches("src/**/main.rs", "src/main.rs"));
        assert!(!matches("src/**/main.rs", "src/domain.rs"));
        assert!(matches("src/**", "src/a/b"));
        assert!(matches("ma?n.*", "main.rs"));
        assert!(matches("caf?", "café"));
        assert!(!matches("ma?n", "ma/n"));
        assert!(!matches(&"*a".repeat(200), &"a".repeat(199)));
    }
}
