//! The name that was probably meant.

/// The longest name that is compared with others. What is longer is no slip of a name, and comparing it would take
/// time and room by the square of its length.
const LONGEST: usize = 256;

/// The candidate that `name` is most likely a slip of, if any is near enough.
///
/// Nearest is the same name in another spelling (`max_results`, `maxResults`, `max-results`), then a part of it (`loc`
/// for `location`), then one with few letters different or swapped. Of equally near ones the first is taken.
pub(crate) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let wanted = letters(name);
    if wanted.is_empty() {
        return None;
    }
    candidates
        .filter(|candidate| candidate.len() <= LONGEST)
        .filter_map(|candidate| Some((distance(&wanted, &letters(candidate))?, candidate)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The letters and digits of a name, in lower case: what is left of it whatever the convention.
fn letters(name: &str) -> Vec<char> {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// How far apart two names are; `None` when they have nothing to do with each other.
fn distance(name: &[char], candidate: &[char]) -> Option<usize> {
    if name == candidate {
        return Some(0);
    }
    let (short, long) = if name.len() < candidate.len() { (name, candidate) } else { (candidate, name) };
    let edits = edits(name, candidate);
    // One slip in three letters is a slip; more is another word.
    let near = (edits <= (long.len() / 3).max(1) && long.len() > 1).then_some(edits * 2);
    let start = (short.len() >= 2 && long.starts_with(short)).then_some(1);
    let inside = (short.len() >= 3 && long.windows(short.len()).any(|window| window == short)).then_some(3);
    [near, start, inside].into_iter().flatten().min()
}

/// How many letters have to be inserted, deleted, replaced or swapped with their neighbour to make one name the other
/// (the optimal string alignment distance).
fn edits(left: &[char], right: &[char]) -> usize {
    let mut before = vec![0; right.len() + 1];
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (row, a) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, b) in right.iter().enumerate() {
            let replaced = above[column] + usize::from(a != b);
            let mut least = replaced.min(above[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && *a == right[column - 1] && left[row - 1] == *b {
                least = least.min(before[column - 1] + 1);
            }
            current.push(least);
        }
        before = std::mem::replace(&mut above, current);
    }
    above[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let names = ["location", "days", "max_results", "units"];
        for (name, meant) in [
            ("locaton", Some("location")),
            ("loc", Some("location")),
            ("Location", Some("location")),
            ("day", Some("days")),
            ("dyas", Some("days")),
            ("maxResults", Some("max_results")),
            ("max-results", Some("max_results")),
            ("results", Some("max_results")),
            ("unit", Some("units")),
            ("city", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, names.into_iter()), meant, "{name}");
        }
    }

    #[test]
    fn the_nearest_wins_not_the_first() {
        assert_eq!(nearest("user_id", ["user_ids_all", "userId"].into_iter()), Some("userId"));
    }

    #[test]
    fn what_is_far_too_long_is_no_slip_of_anything() {
        let endless = "location".repeat(100_000);
        assert_eq!(nearest(&endless, ["location"].into_iter()), None);
        assert_eq!(nearest("location", [endless.as_str()].into_iter()), None);
    }

    #[test]
    fn swapped_letters_are_one_slip() {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(edits(&chars("form"), &chars("from")), 1);
        assert_eq!(edits(&chars("kitten"), &chars("sitting")), 3);
        assert_eq!(edits(&chars(""), &chars("abc")), 3);
    }
}
