//! The text of a template into its parts: RFC 6570, section 2.

use std::ops::Range;

use super::unit::{Unit, is_reserved, is_unreserved};
use super::{TemplateError, Variable};

/// A piece of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Text that stands for itself.
    Literal {
        /// As written; checked to consist of what a URI may contain, and of characters beyond ASCII.
        text: String,
        /// Where it begins, in bytes.
        offset: usize,
    },
    /// `{..}`.
    Expression {
        /// The character behind the brace that says what it expands to.
        operator: Operator,
        /// Which of the template's variables it names.
        variables: Range<usize>,
        /// Where its brace is, in bytes.
        offset: usize,
    },
}

/// The kinds of expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// `{x}`
    Simple,
    /// `{+x}`
    Reserved,
    /// `{#x}`
    Fragment,
    /// `{.x}`
    Label,
    /// `{/x}`
    Path,
    /// `{;x}`
    Parameters,
    /// `{?x}`
    Query,
    /// `{&x}`
    Continuation,
}

impl Operator {
    /// Whether a URI may leave its variables out.
    const fn is_optional(self) -> bool {
        matches!(self, Self::Fragment | Self::Parameters | Self::Query | Self::Continuation)
    }
}

/// Parses a template into parts and the variables that they name.
pub(super) fn parse(source: &str) -> Result<(Vec<Part>, Vec<Variable>), TemplateError> {
    if source.is_empty() {
        return Err(fault(0, "a URI template cannot be empty"));
    }
    let mut parts = Vec::new();
    let mut variables = Vec::new();
    let mut at = 0;
    while at < source.len() {
        let rest = &source[at..];
        if let Some(inside) = rest.strip_prefix('{') {
            let Some(len) = inside.find('}') else {
                return Err(fault(at, "this `{` has no `}`"));
            };
            parts.push(expression(&inside[..len], at, &mut variables)?);
            at += len + 2;
        } else {
            let len = rest.find('{').unwrap_or(rest.len());
            parts.push(literal(&rest[..len], at)?);
            at += len;
        }
    }
    Ok((parts, variables))
}

/// A fault at a place.
pub(super) fn fault(offset: usize, message: impl Into<String>) -> TemplateError {
    TemplateError { offset, message: message.into() }
}

/// Checks that a literal consists of what a URI may contain.
fn literal(text: &str, offset: usize) -> Result<Part, TemplateError> {
    for (i, char) in text.char_indices() {
        let at = offset + i;
        match char {
            '}' => return Err(fault(at, "this `}` has no `{`")),
            '%' if Unit::read(text.as_bytes(), i).is_none() => {
                return Err(fault(at, "`%` needs two hexadecimal digits behind it; a percent sign is `%25`"));
            }
            '%' => {}
            _ if u8::try_from(char).is_ok_and(|byte| is_unreserved(byte) || is_reserved(byte)) => {}
            _ if !char.is_ascii() && !char.is_control() => {}
            _ => {
                return Err(fault(at, format!("a URI cannot contain {char:?}; write it percent-encoded")));
            }
        }
    }
    Ok(Part::Literal { text: text.to_owned(), offset })
}

/// Parses what is between the braces at `offset`.
fn expression(inside: &str, offset: usize, variables: &mut Vec<Variable>) -> Result<Part, TemplateError> {
    let (operator, names) = operator(inside, offset)?;
    let first = variables.len();
    let mut at = offset + 1 + (inside.len() - names.len());
    for spec in names.split(',') {
        variables.push(variable(spec, at, operator, variables)?);
        at += spec.len() + 1;
    }
    Ok(Part::Expression { operator, variables: first..variables.len(), offset })
}

/// Splits the operator from the names.
fn operator(inside: &str, offset: usize) -> Result<(Operator, &str), TemplateError> {
    let operator = match inside.chars().next() {
        Some('+') => Operator::Reserved,
        Some('#') => Operator::Fragment,
        Some('.') => Operator::Label,
        Some('/') => Operator::Path,
        Some(';') => Operator::Parameters,
        Some('?') => Operator::Query,
        Some('&') => Operator::Continuation,
        Some(reserved @ ('=' | ',' | '!' | '@' | '|')) => {
            return Err(fault(
                offset + 1,
                format!("the operator `{reserved}` is reserved by RFC 6570 and has no meaning"),
            ));
        }
        _ => return Ok((Operator::Simple, inside)),
    };
    Ok((operator, &inside[1..]))
}

/// Parses one `name` or `name*` at `offset`.
fn variable(
    spec: &str,
    offset: usize,
    operator: Operator,
    earlier: &[Variable],
) -> Result<Variable, TemplateError> {
    let (name, explode) = match spec.strip_suffix('*') {
        Some(name) => (name, true),
        None => (spec, false),
    };
    if let Some((name, _)) = name.split_once(':') {
        return Err(fault(
            offset + name.len(),
            format!("a prefix modifier cannot be matched; write `{name}`"),
        ));
    }
    if name.is_empty() {
        return Err(fault(offset, "a variable needs a name"));
    }
    let is_name_char = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '.');
    if let Some((i, char)) = name.char_indices().find(|(_, char)| !is_name_char(*char)) {
        return Err(fault(offset + i, format!("a variable's name cannot contain {char:?}")));
    }
    if name.starts_with('.') || name.ends_with('.') || name.contains("..") {
        return Err(fault(offset, "a dot in a variable's name stands between two of its letters"));
    }
    if earlier.iter().any(|variable| variable.name == name) {
        return Err(fault(
            offset,
            format!("the variable `{name}` is already in the template; each has a name of its own"),
        ));
    }
    if explode && !matches!(operator, Operator::Path | Operator::Reserved) {
        return Err(fault(
            offset + name.len(),
            format!("`*` can be matched in `{{/{name}*}}` and `{{+{name}*}}` only"),
        ));
    }
    Ok(Variable {
        name: name.to_owned(),
        optional: operator.is_optional(),
        segments: explode && operator == Operator::Path,
        offset,
    })
}

#[cfg(test)]
mod tests {
    use super::{Operator, Part, parse};

    fn fault(source: &str) -> (usize, String) {
        let error = parse(source).unwrap_err();
        (error.offset, error.message)
    }

    #[test]
    fn literals_and_expressions() {
        let (parts, variables) = parse("db://{table}/é{?limit,offset}").unwrap();
        assert_eq!(
            parts,
            [
                Part::Literal { text: "db://".into(), offset: 0 },
                Part::Expression { operator: Operator::Simple, variables: 0..1, offset: 5 },
                Part::Literal { text: "/é".into(), offset: 12 },
                Part::Expression { operator: Operator::Query, variables: 1..3, offset: 15 },
            ]
        );
        let seen: Vec<_> =
            variables.iter().map(|variable| (&*variable.name, variable.optional, variable.offset)).collect();
        assert_eq!(seen, [("table", false, 6), ("limit", true, 17), ("offset", true, 23)]);
    }

    #[test]
    fn what_is_no_template() {
        assert_eq!(fault(""), (0, "a URI template cannot be empty".into()));
        assert_eq!(fault("a://{x"), (4, "this `{` has no `}`".into()));
        assert_eq!(fault("a://x}"), (5, "this `}` has no `{`".into()));
        assert_eq!(fault("a://{}"), (5, "a variable needs a name".into()));
        assert_eq!(fault("a://{x,}"), (7, "a variable needs a name".into()));
        assert_eq!(fault("a:// b"), (4, "a URI cannot contain ' '; write it percent-encoded".into()));
        assert_eq!(
            fault("a://100%/b"),
            (7, "`%` needs two hexadecimal digits behind it; a percent sign is `%25`".into())
        );
        assert_eq!(fault("a://{x y}"), (6, "a variable's name cannot contain ' '".into()));
        assert_eq!(
            fault("a://{x.}"),
            (5, "a dot in a variable's name stands between two of its letters".into())
        );
        assert_eq!(
            fault("a://{x}/{x}"),
            (9, "the variable `x` is already in the template; each has a name of its own".into())
        );
    }

    #[test]
    fn what_cannot_be_matched() {
        assert_eq!(fault("a://{x:3}"), (6, "a prefix modifier cannot be matched; write `x`".into()));
        assert_eq!(
            fault("a://{=x}"),
            (5, "the operator `=` is reserved by RFC 6570 and has no meaning".into())
        );
        assert_eq!(fault("a://{?x*}"), (7, "`*` can be matched in `{/x*}` and `{+x*}` only".into()));
    }
}
