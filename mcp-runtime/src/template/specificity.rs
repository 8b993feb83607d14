//! Which of several matching templates serves a URI.

use std::cmp::Reverse;

use super::compile::Step;
use super::unit::Class;

/// How specific a template is: the greater, the sooner it is asked.
///
/// A template without variables comes first; then the one with more literal characters before its first variable; then
/// the one with more of them in all; then the one with fewer variables that span slashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Specificity {
    fixed: bool,
    prefix: usize,
    literal: usize,
    spanning: Reverse<usize>,
}

impl Specificity {
    /// Measures a compiled template.
    pub(super) fn of(steps: &[Step]) -> Self {
        let literal = |step: &Step| match step {
            Step::Literal(units) => units.len(),
            _ => 0,
        };
        let spans = |step: &&Step| {
            matches!(step, Step::Segments { .. } | Step::Capture { class: Class::Reserved, .. })
        };
        Self {
            fixed: matches!(steps, [Step::Literal(_)]),
            prefix: steps.first().map_or(0, literal),
            literal: steps.iter().map(literal).sum(),
            spanning: Reverse(steps.iter().filter(spans).count()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::template::Template;

    #[test]
    fn the_more_specific_is_asked_first() {
        let mut templates = [
            "db://{+path}",
            "db://{table}",
            "db://{table}/rows/{id}",
            "db://{table}/{kind}/{id}",
            "db://x/{id}",
            "db://x",
            "db://x{?q}",
        ]
        .map(|source| Template::parse(source).unwrap());
        templates.sort_by_key(|template| std::cmp::Reverse(template.specificity()));
        assert_eq!(
            templates.each_ref().map(Template::as_str),
            [
                "db://x",
                "db://x/{id}",
                "db://x{?q}",
                "db://{table}/rows/{id}",
                "db://{table}/{kind}/{id}",
                "db://{table}",
                "db://{+path}",
            ]
        );
    }

    #[test]
    fn names_and_optional_parts_do_not_count() {
        let specificity = |source| Template::parse(source).unwrap().specificity();
        assert_eq!(specificity("db://{a}/x{?q}"), specificity("db://{b}/y"));
        assert_eq!(specificity("db://é"), specificity("db://%C3%A9"));
    }
}
