//! Whether two templates can match one same URI.
//!
//! Each template is a small automaton over the characters of a URI; the two have a URI in common if both can arrive at
//! their ends together.

use super::compile::{LiteralUnit, Step};
use super::unit::{Class, Unit};
use super::{Template, Variable};

/// Whether the templates have a URI in common.
///
/// Where it errs, it errs towards an overlap: it does not count how often a parameter occurs, nor whether a value
/// decodes to UTF-8.
pub(super) fn intersect(one: &Template, other: &Template) -> bool {
    let (one, other) = (Automaton::of(one), Automaton::of(other));
    let mut seen = vec![false; one.states.len() * other.states.len()];
    let mut open = vec![(0, 0)];
    while let Some((a, b)) = open.pop() {
        if std::mem::replace(&mut seen[a * other.states.len() + b], true) {
            continue;
        }
        if a == one.end && b == other.end {
            return true;
        }
        open.extend(one.states[a].skips.iter().map(|a| (*a, b)));
        open.extend(other.states[b].skips.iter().map(|b| (a, *b)));
        for (label, to_a) in &one.states[a].edges {
            for (other_label, to_b) in &other.states[b].edges {
                if label.meets(*other_label) {
                    open.push((*to_a, *to_b));
                }
            }
        }
    }
    false
}

/// What an edge accepts: a set of characters.
#[derive(Clone, Copy)]
enum Label {
    /// One character, perhaps in either case.
    Exactly(LiteralUnit),
    /// A class of them.
    Class(Class),
    /// Anything but the `#` that ends a query.
    NotHash,
}

impl Label {
    const fn plain(byte: u8) -> Self {
        Self::Exactly(LiteralUnit { unit: Unit::plain(byte), any_case: false })
    }

    /// Whether some character is in both sets.
    fn meets(self, other: Self) -> bool {
        match (self, other) {
            (Self::Exactly(literal), set) | (set, Self::Exactly(literal)) => {
                // No class tells the cases of a letter apart, so one of the two is enough unless both are exact.
                let mut swapped = literal.unit;
                swapped.byte = if swapped.byte.is_ascii_lowercase() {
                    swapped.byte.to_ascii_uppercase()
                } else {
                    swapped.byte.to_ascii_lowercase()
                };
                set.contains(literal.unit) || literal.any_case && set.contains(swapped)
            }
            // A letter is in every other set.
            _ => true,
        }
    }

    fn contains(self, unit: Unit) -> bool {
        match self {
            Self::Exactly(literal) => literal.accepts(unit),
            Self::Class(class) => class.contains(unit),
            Self::NotHash => unit != Unit::plain(b'#'),
        }
    }
}

/// A state: where to go with a character, and without one.
#[derive(Default)]
struct State {
    edges: Vec<(Label, usize)>,
    skips: Vec<usize>,
}

/// The steps of a template, character by character, from state 0 to `end`.
struct Automaton {
    states: Vec<State>,
    end: usize,
}

impl Automaton {
    fn of(template: &Template) -> Self {
        let mut automaton = Self { states: vec![State::default()], end: 0 };
        for step in &template.steps {
            automaton.push(step, &template.variables);
        }
        automaton
    }

    /// Appends a step behind the end.
    fn push(&mut self, step: &Step, variables: &[Variable]) {
        let start = self.end;
        self.end = match step {
            Step::Literal(units) => {
                units.iter().fold(start, |from, literal| self.edge(from, Label::Exactly(*literal)))
            }
            Step::Capture { class, .. } => {
                let inside = self.edge(start, Label::Class(*class));
                self.states[inside].edges.push((Label::Class(*class), inside));
                inside
            }
            Step::Segments { .. } => {
                let slash = self.edge(start, Label::plain(b'/'));
                let inside = self.edge(slash, Label::Class(Class::Segment));
                let edges = &mut self.states[inside].edges;
                edges.push((Label::Class(Class::Segment), inside));
                edges.push((Label::plain(b'/'), slash));
                inside
            }
            Step::Parameters { variables: range } => {
                for variable in &variables[range.clone()] {
                    let semicolon = self.edge(start, Label::plain(b';'));
                    let name = variable
                        .name
                        .bytes()
                        .fold(semicolon, |from, byte| self.edge(from, Label::plain(byte)));
                    let value = self.edge(name, Label::plain(b'='));
                    self.states[value].edges.push((Label::Class(Class::Simple), value));
                    self.states[name].skips.push(start);
                    self.states[value].skips.push(start);
                }
                start
            }
            Step::Query { lead, .. } => {
                let inside = self.edge(start, Label::plain(*lead));
                self.optional(start, inside, Label::NotHash)
            }
            Step::Fragment { .. } => {
                let inside = self.edge(start, Label::plain(b'#'));
                self.optional(start, inside, Label::Class(Class::Reserved))
            }
        };
    }

    /// Adds a state and the edge to it.
    fn edge(&mut self, from: usize, label: Label) -> usize {
        let to = self.state();
        self.states[from].edges.push((label, to));
        to
    }

    /// Lets `inside` repeat `label`, and a state behind it be reached from there and from `start`.
    fn optional(&mut self, start: usize, inside: usize, label: Label) -> usize {
        let end = self.state();
        self.states[inside].edges.push((label, inside));
        self.states[inside].skips.push(end);
        self.states[start].skips.push(end);
        end
    }

    fn state(&mut self) -> usize {
        self.states.push(State::default());
        self.states.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use crate::template::Template;

    fn overlap(one: &str, other: &str) -> bool {
        let (one, other) = (Template::parse(one).unwrap(), Template::parse(other).unwrap());
        assert_eq!(one.overlaps(&other), other.overlaps(&one));
        one.overlaps(&other)
    }

    #[test]
    fn the_same_shape_overlaps() {
        assert!(overlap("db://{a}/rows/{id}", "db://{b}/rows/{key}"));
        assert!(overlap("db://x", "db://x"));
        assert!(overlap("db://x/{id}", "DB://X/{id}"));
        assert!(overlap("a:{x}", "a:{y}{?q}"));
        assert!(overlap("a:b{?x}", "a:b{?y}"));
        assert!(overlap("a:b{/p*}", "a:b{/q*}"));
        assert!(overlap("a:b%2fc", "a:b%2Fc"));
        assert!(overlap("a:{x}bc{y}", "a:{x}cb{y}"));
    }

    #[test]
    fn shapes_that_can_coincide_overlap() {
        // `a:/ab/ab/ab` is one of both.
        assert!(overlap("a:/{x}/ab/{y}", "a:/{x}/{y}/ab"));
        assert!(overlap("a:{x}-b-{y}", "a:{x}-c-{y}"));
        assert!(overlap("a:m{;x}/{y}", "a:m{;z}/{y}"));
        assert!(overlap("a:b{#x}", "a:b{#y}"));
    }

    #[test]
    fn different_literals_do_not() {
        assert!(!overlap("db://{a}/rows/{id}", "db://{a}/cols/{id}"));
        assert!(!overlap("db://{a}/rows", "db://{a}/cols"));
        assert!(!overlap("db://x/{id}", "db://y/{id}"));
        assert!(!overlap("a:B/{x}", "a:b/{x}"));
        assert!(!overlap("a:{x}/b", "a:{x}.b/"));
        assert!(!overlap("a:b?k=1{&x}", "a:b?k=2{&x}"));
    }

    #[test]
    fn the_more_specific_wins_without_a_fault() {
        assert!(!overlap("db://{+path}", "db://x/{id}"));
        assert!(!overlap("db://{+path}", "db://{x}"));
        assert!(!overlap("db://x", "db://x{?q}"));
        assert!(!overlap("a:{x}/b", "a:{x}/{y}"));
    }
}
