//! The parts of a template into the steps of matching it, where each step has one reading.

use std::ops::Range;

use super::parse::{Operator, Part, fault};
use super::unit::{Class, Unit, is_unreserved};
use super::{TemplateError, Variable};

/// A step of matching a URI from its start to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// These characters; never two such steps in a row.
    Literal(Vec<LiteralUnit>),
    /// One or more characters of a class: the value of a variable.
    Capture {
        /// Whose value.
        variable: usize,
        /// Of what characters.
        class: Class,
    },
    /// One or more segments, each behind a slash.
    Segments {
        /// Whose value.
        variable: usize,
    },
    /// `;name=value` for some of the variables, in any order.
    Parameters {
        /// Which variables.
        variables: Range<usize>,
    },
    /// A query that may hold any parameters, some of them variables; or nothing.
    Query {
        /// `?`, or `&` behind a literal query.
        lead: u8,
        /// Which variables.
        variables: Range<usize>,
    },
    /// The fragment; or nothing.
    Fragment {
        /// Whose value.
        variable: usize,
    },
}

/// A literal character, and whether its case matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LiteralUnit {
    /// The character.
    pub(super) unit: Unit,
    /// Whether it is of a scheme or host.
    pub(super) any_case: bool,
}

impl LiteralUnit {
    /// Whether the URI's character is this one.
    pub(super) const fn accepts(self, unit: Unit) -> bool {
        if self.unit.encoded != unit.encoded {
            return false;
        }
        self.unit.byte == unit.byte || self.any_case && self.unit.byte.eq_ignore_ascii_case(&unit.byte)
    }
}

/// Compiles parts into steps, and refuses what has no single reading.
pub(super) fn compile(parts: &[Part], variables: &[Variable]) -> Result<Vec<Step>, TemplateError> {
    let mut compiler = Compiler { steps: Vec::new(), has_query: false };
    for part in parts {
        match part {
            Part::Literal { text, offset } => compiler.literal(text, *offset)?,
            Part::Expression { operator, variables: range, offset } => {
                compiler.expression(*operator, range.clone(), variables, *offset)?;
            }
        }
    }
    let mut steps = compiler.steps;
    mark_any_case(&mut steps);
    Ok(steps)
}

/// The steps so far.
struct Compiler {
    steps: Vec<Step>,
    /// Whether a `?` has begun the query.
    has_query: bool,
}

impl Compiler {
    fn literal(&mut self, text: &str, offset: usize) -> Result<(), TemplateError> {
        let first = text.bytes().next().unwrap_or(b'/');
        match self.steps.last() {
            Some(Step::Query { .. }) if first != b'#' => {
                return Err(fault(
                    offset,
                    "only a fragment can follow the query; put fixed parameters first: `?fixed=1{&x}`",
                ));
            }
            Some(Step::Parameters { .. })
                if is_unreserved(first) || matches!(first, b'%' | b';' | b'=' | 0x80..) =>
            {
                return Err(fault(
                    offset,
                    "this could belong to the value before it; put `/`, `?` or `#` behind `{;..}`",
                ));
            }
            Some(Step::Fragment { .. }) => return Err(behind_fragment(offset)),
            _ => {}
        }
        self.has_query |= text.contains('?');
        self.push_literal(text.as_bytes());
        Ok(())
    }

    fn push_literal(&mut self, bytes: &[u8]) {
        if !matches!(self.steps.last(), Some(Step::Literal(_))) {
            self.steps.push(Step::Literal(Vec::new()));
        }
        let Some(Step::Literal(units)) = self.steps.last_mut() else {
            return;
        };
        let mut at = 0;
        while let Some((unit, width)) = Unit::read(bytes, at) {
            units.push(LiteralUnit { unit, any_case: false });
            at += width;
        }
    }

    fn expression(
        &mut self,
        operator: Operator,
        range: Range<usize>,
        variables: &[Variable],
        offset: usize,
    ) -> Result<(), TemplateError> {
        self.check_neighbour(operator, offset)?;
        match operator {
            Operator::Simple => self.captures(range, None, b","),
            Operator::Label => self.captures(range, Some(b"."), b"."),
            Operator::Path => {
                for variable in range {
                    if variables[variable].segments {
                        self.segments(variable, &variables[variable])?;
                    } else {
                        self.captures(variable..variable + 1, Some(b"/"), b"/");
                    }
                }
            }
            Operator::Reserved => {
                let variable = only(&range, variables)?;
                let class = Class::Reserved;
                self.steps.push(Step::Capture { variable, class });
            }
            Operator::Fragment => {
                let variable = only(&range, variables)?;
                self.steps.push(Step::Fragment { variable });
            }
            Operator::Parameters => self.steps.push(Step::Parameters { variables: range }),
            Operator::Query | Operator::Continuation => self.query(operator, range, offset)?,
        }
        Ok(())
    }

    /// Refuses an expression that the step before it leaves no clear beginning.
    fn check_neighbour(&self, operator: Operator, offset: usize) -> Result<(), TemplateError> {
        use Operator::{Continuation, Fragment, Label, Parameters, Path, Query, Reserved, Simple};
        match (self.steps.last(), operator) {
            (Some(Step::Fragment { .. }), _) => Err(behind_fragment(offset)),
            (Some(Step::Query { .. }), Simple | Reserved | Label | Path | Parameters) => {
                Err(fault(offset, "only `{&..}` and `{#..}` can follow the query"))
            }
            (Some(Step::Parameters { .. }), Simple | Reserved | Label | Parameters) => Err(fault(
                offset,
                "this could belong to the value before it; put `/`, `?` or `#` behind `{;..}`",
            )),
            (Some(Step::Capture { .. } | Step::Segments { .. }), Simple | Reserved) => Err(fault(
                offset,
                "where the value before this one ends is ambiguous; put a literal between the two, such as `/`",
            )),
            (_, Query) if self.has_query => Err(fault(offset, "the query has begun already; write `{&..}`")),
            (_, Continuation) if !self.has_query => {
                Err(fault(offset, "there is no query to continue; write `{?..}`"))
            }
            (Some(_) | None, Continuation | Fragment | Query | Label | Path | Parameters)
            | (Some(Step::Literal(_)) | None, Simple | Reserved) => Ok(()),
        }
    }

    /// Values of `{x}`'s characters with `separator` between them, behind `lead`.
    fn captures(&mut self, range: Range<usize>, lead: Option<&[u8]>, separator: &[u8]) {
        let mut before = lead;
        for variable in range {
            if let Some(before) = before {
                self.push_literal(before);
            }
            before = Some(separator);
            let class = Class::Simple;
            self.steps.push(Step::Capture { variable, class });
        }
    }

    fn segments(&mut self, variable: usize, named: &Variable) -> Result<(), TemplateError> {
        if let Some(Step::Segments { .. } | Step::Capture { class: Class::Reserved, .. }) = self.steps.last()
        {
            return Err(fault(
                named.offset,
                format!(
                    "where the value before `{}` ends is ambiguous, as both span slashes; put a literal between the two",
                    named.name
                ),
            ));
        }
        self.steps.push(Step::Segments { variable });
        Ok(())
    }

    fn query(&mut self, operator: Operator, range: Range<usize>, offset: usize) -> Result<(), TemplateError> {
        if let Some(Step::Query { variables, .. }) = self.steps.last_mut() {
            variables.end = range.end;
            return Ok(());
        }
        let in_fragment = |step: &Step| match step {
            Step::Literal(units) => units.iter().any(|literal| literal.unit == Unit::plain(b'#')),
            _ => false,
        };
        if self.steps.iter().any(in_fragment) {
            return Err(fault(offset, "the query comes before the fragment"));
        }
        self.has_query = true;
        self.steps.push(Step::Query {
            lead: if operator == Operator::Query { b'?' } else { b'&' },
            variables: range,
        });
        Ok(())
    }
}

/// The single variable of an expression in which a value may contain the comma that would separate two.
fn only(range: &Range<usize>, variables: &[Variable]) -> Result<usize, TemplateError> {
    match variables.get(range.start + 1..range.end) {
        Some([second, ..]) => Err(fault(
            second.offset,
            format!(
                "the value before `{}` may contain the comma between them; give each an expression of its own",
                second.name
            ),
        )),
        _ => Ok(range.start),
    }
}

fn behind_fragment(offset: usize) -> TemplateError {
    fault(offset, "nothing can follow the fragment")
}

/// Marks the literal characters of the scheme and host, whose case does not matter (RFC 3986, section 6.2.2.1).
fn mark_any_case(steps: &mut [Step]) {
    let Some((Step::Literal(first), rest)) = steps.split_first_mut() else {
        return;
    };
    let Some(colon) = position(first, b":/?#").filter(|at| first[*at].unit.byte == b':') else {
        return;
    };
    mark(&mut first[..colon]);
    let after = &mut first[colon + 1..];
    let slash = Unit::plain(b'/');
    let [one, two, host @ ..] = after else {
        return;
    };
    if one.unit != slash || two.unit != slash {
        return;
    }
    // The authority goes on behind an expression, as in `http://{tenant}.example.com/`, until something ends it.
    let mut literals = vec![host];
    for step in rest {
        if position(literals[literals.len() - 1], b"/?#").is_some() {
            break;
        }
        match step {
            Step::Literal(units) => literals.push(units),
            Step::Capture { class: Class::Simple, .. } => {}
            _ => break,
        }
    }
    // What is in front of an `@` is a user, whose case matters.
    for literal in literals.into_iter().rev() {
        let end = position(literal, b"/?#").unwrap_or(literal.len());
        let authority = &mut literal[..end];
        let user = authority.iter().rposition(|literal| literal.unit == Unit::plain(b'@'));
        mark(&mut authority[user.map_or(0, |at| at + 1)..]);
        if user.is_some() {
            break;
        }
    }
}

fn mark(units: &mut [LiteralUnit]) {
    for literal in units {
        literal.any_case = true;
    }
}

/// Where the first of these characters is.
fn position(units: &[LiteralUnit], any_of: &[u8]) -> Option<usize> {
    units.iter().position(|literal| !literal.unit.encoded && any_of.contains(&literal.unit.byte))
}

#[cfg(test)]
mod tests;
