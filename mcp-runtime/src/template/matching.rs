//! Matching a URI, in time proportional to its length times the number of steps.
//!
//! From the last step to the first, a table of "can the rest of the steps match from here?" is filled for every
//! position in the URI; then one walk from the start takes, for each value, the nearest end from which the rest can
//! match. Nothing is tried twice, whatever the URI.

use std::borrow::Cow;
use std::ops::Range;

use super::Variable;
use super::compile::{LiteralUnit, Step};
use super::unit::{Class, Unit};

/// The values of the variables, in their order.
type Values<'u> = Vec<Option<Cow<'u, str>>>;

/// Matches the whole URI.
pub(super) fn match_uri<'u>(steps: &[Step], variables: &[Variable], uri: &'u str) -> Option<Values<'u>> {
    let bytes = uri.as_bytes();
    // Most URIs are meant for another template: their beginning tells, without a table.
    let (start, steps) = match steps.split_first() {
        Some((Step::Literal(units), rest)) => (literal_end(units, bytes, 0)?, rest),
        _ => (0, steps),
    };
    let mut at = start;
    let rows = rows(steps, variables, bytes);
    let mut values = vec![None; variables.len()];
    if !rows[0][at] {
        return None;
    }
    for (step, next) in steps.iter().zip(&rows[1..]) {
        at = walk(step, variables, uri, at, next, &mut values)?;
    }
    Some(values)
}

/// For each step, and for the end behind the last, from which positions the rest matches.
fn rows(steps: &[Step], variables: &[Variable], bytes: &[u8]) -> Vec<Vec<bool>> {
    let mut end = vec![false; bytes.len() + 1];
    end[bytes.len()] = true;
    let mut rows = vec![end];
    for step in steps.iter().rev() {
        let row = row(step, variables, bytes, &rows[rows.len() - 1]);
        rows.push(row);
    }
    rows.reverse();
    rows
}

/// From which positions this step and the rest match, given `next` for the rest.
fn row(step: &Step, variables: &[Variable], bytes: &[u8], next: &[bool]) -> Vec<bool> {
    let len = bytes.len();
    let mut row = vec![false; len + 1];
    match step {
        Step::Literal(units) => {
            for (at, can) in row.iter_mut().enumerate() {
                *can = literal_end(units, bytes, at).is_some_and(|end| next[end]);
            }
        }
        Step::Capture { class, .. } => {
            for at in (0..len).rev() {
                row[at] = class.width_at(bytes, at).is_some_and(|width| next[at + width] || row[at + width]);
            }
        }
        Step::Segments { .. } => {
            // `row` is "a segment begins here with its slash", `inside` is "a segment has begun before here".
            let mut inside = next.to_vec();
            for at in (0..len).rev() {
                if bytes[at] == b'/' {
                    row[at] =
                        Class::Segment.width_at(bytes, at + 1).is_some_and(|width| inside[at + 1 + width]);
                    inside[at] |= row[at];
                } else if let Some(width) = Class::Segment.width_at(bytes, at) {
                    inside[at] |= inside[at + width];
                }
            }
        }
        Step::Parameters { variables: range } => {
            for (at, can) in row.iter_mut().enumerate() {
                *can = next[parameters(variables, range, bytes, at, |_, _| ())];
            }
        }
        Step::Query { lead, .. } => {
            let mut end = len;
            row[len] = next[len];
            for at in (0..len).rev() {
                if bytes[at] == b'#' {
                    end = at;
                }
                row[at] = next[if bytes[at] == *lead { end } else { at }];
            }
        }
        Step::Fragment { .. } => {
            let mut rest = next.to_vec();
            row[len] = next[len];
            for at in (0..len).rev() {
                row[at] = next[at] || bytes[at] == b'#' && rest[at + 1];
                rest[at] = Class::Reserved.width_at(bytes, at).is_some_and(|width| rest[at + width]);
            }
        }
    }
    row
}

/// Takes one step from `at`, from which it is known to match, and says where it ends.
fn walk<'u>(
    step: &Step,
    variables: &[Variable],
    uri: &'u str,
    at: usize,
    next: &[bool],
    values: &mut Values<'u>,
) -> Option<usize> {
    let bytes = uri.as_bytes();
    match step {
        Step::Literal(units) => literal_end(units, bytes, at),
        Step::Capture { variable, class } => {
            let mut end = at + class.width_at(bytes, at)?;
            while !next[end] {
                end += class.width_at(bytes, end)?;
            }
            values[*variable] = Some(decode(uri.get(at..end)?)?);
            Some(end)
        }
        Step::Segments { variable } => {
            let mut end = at;
            while end == at || bytes[end - 1] == b'/' || !next[end] {
                end += match *bytes.get(end)? {
                    b'/' => 1,
                    _ => Class::Segment.width_at(bytes, end)?,
                };
            }
            values[*variable] = Some(decode(uri.get(at + 1..end)?)?);
            Some(end)
        }
        Step::Parameters { variables: range } => {
            let mut decodes = true;
            let end = parameters(variables, range, bytes, at, |variable, value| {
                values[variable] = uri.get(value).and_then(decode);
                decodes &= values[variable].is_some();
            });
            decodes.then_some(end)
        }
        Step::Query { lead, variables: range } => {
            if bytes.get(at) != Some(lead) {
                return Some(at);
            }
            let len = uri[at..].find('#').unwrap_or(uri.len() - at);
            query(&variables[range.clone()], &uri[at + 1..at + len], &mut values[range.clone()])?;
            Some(at + len)
        }
        Step::Fragment { variable } => {
            if bytes.get(at) == Some(&b'#') {
                values[*variable] = Some(decode(&uri[at + 1..])?);
                return Some(uri.len());
            }
            Some(at)
        }
    }
}

/// Where the literal ends, if it is at `at`.
fn literal_end(units: &[LiteralUnit], bytes: &[u8], mut at: usize) -> Option<usize> {
    for literal in units {
        let (unit, width) = Unit::read(bytes, at)?;
        if !literal.accepts(unit) {
            return None;
        }
        at += width;
    }
    Some(at)
}

/// Where the path parameters that begin at `at` end: before the first that is none of the variables, or one again.
fn parameters(
    variables: &[Variable],
    range: &Range<usize>,
    bytes: &[u8],
    mut at: usize,
    mut found: impl FnMut(usize, Range<usize>),
) -> usize {
    if bytes.get(at) != Some(&b';') {
        return at;
    }
    let mut left: Vec<usize> = range.clone().collect();
    while bytes.get(at) == Some(&b';') {
        let name_end = run(bytes, at + 1);
        let name = &bytes[at + 1..name_end];
        let Some(i) = left.iter().position(|i| variables[*i].name.as_bytes() == name) else {
            break;
        };
        let value = match bytes.get(name_end) {
            Some(b'=') => name_end + 1..run(bytes, name_end + 1),
            _ => name_end..name_end,
        };
        at = value.end;
        found(left.swap_remove(i), value);
    }
    at
}

/// Where the characters that `{x}` matches end.
fn run(bytes: &[u8], mut at: usize) -> usize {
    while let Some(width) = Class::Simple.width_at(bytes, at) {
        at += width;
    }
    at
}

/// Takes the variables' values out of a query; `None` if one occurs twice or a part of it is not UTF-8.
fn query<'u>(variables: &[Variable], query: &'u str, values: &mut [Option<Cow<'u, str>>]) -> Option<()> {
    for pair in query.split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (name, value) = (decode(name)?, decode(value)?);
        let Some(i) = variables.iter().position(|variable| variable.name == name) else {
            continue;
        };
        if values[i].replace(value).is_some() {
            return None;
        }
    }
    Some(())
}

/// Percent-decodes; `None` for a broken escape and for what is not UTF-8.
fn decode(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut decoded = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let (unit, width) = Unit::read(text.as_bytes(), at)?;
        decoded.push(unit.byte);
        at += width;
    }
    String::from_utf8(decoded).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests;
