//! `range(..)`, `length(..)` and `items(..)`.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, ExprRange, Lit, RangeLimits, UnOp};

use crate::arg::Number;
use crate::error::{Errors, Result, error};
use crate::keys::Key;

/// The bounds on an answer: from, to.
pub(crate) struct Bounds<T> {
    pub(crate) least: Option<T>,
    pub(crate) most: Option<T>,
    /// Where the key is.
    pub(crate) span: Span,
}

impl Bounds<Number> {
    pub(crate) fn range(key: &Key) -> Result<Self> {
        let range = written(key)?;
        if let (RangeLimits::HalfOpen(dots), Some(end)) = (&range.limits, &range.end) {
            let better = match number(end)? {
                Number::Int(end) => format!("write `..={}` if these are whole numbers", end - 1),
                Number::Float(_) => "write `..=`".to_owned(),
            };
            return Err(error(dots, format!("the protocol has only inclusive bounds: {better}")));
        }
        let least = range.start.as_deref().map(number).transpose()?;
        let most = range.end.as_deref().map(number).transpose()?;
        if let (Some(least), Some(most)) = (least, most)
            && is_below(most, least)
        {
            return Err(error(&range, "nothing is in this range: the first bound has to be the smaller one"));
        }
        Ok(Self { least, most, span: key.path.span() })
    }

    /// Notes a default that is a number outside.
    pub(crate) fn reject_default(&self, default: &Expr, errors: &mut Errors) {
        let Ok(value) = number(default) else { return };
        if self.least.is_some_and(|least| is_below(value, least)) {
            errors.note(default, "the default is below the range that `range(..)` allows");
        } else if self.most.is_some_and(|most| is_below(most, value)) {
            errors.note(default, "the default is above the range that `range(..)` allows");
        }
    }
}

impl Bounds<u64> {
    /// A count, such as a length.
    pub(crate) fn count(key: &Key) -> Result<Self> {
        let range = written(key)?;
        let name = &key.name;
        let count = |bound: &Expr| {
            let wrong =
                || error(bound, format!("a count is a whole number, not below zero: `{name}(1..=10)`"));
            match number(bound)? {
                Number::Int(count) => u64::try_from(count).map_err(|_| wrong()),
                Number::Float(_) => Err(wrong()),
            }
        };
        let least = range.start.as_deref().map(count).transpose()?;
        let mut most = range.end.as_deref().map(count).transpose()?;
        let nothing = || error(&range, "nothing is in this range: the first bound has to be the smaller one");
        if matches!(range.limits, RangeLimits::HalfOpen(_)) {
            most = most.map(|end| end.checked_sub(1).ok_or_else(nothing)).transpose()?;
        }
        if let (Some(least), Some(most)) = (least, most)
            && most < least
        {
            return Err(nothing());
        }
        Ok(Self { least, most, span: key.path.span() })
    }

    /// Whether a default of this count is outside.
    pub(crate) fn refuse(&self, count: usize) -> bool {
        let count = count as u64;
        self.least.is_some_and(|least| count < least) || self.most.is_some_and(|most| most < count)
    }
}

fn written(key: &Key) -> Result<ExprRange> {
    let example = "1..=10";
    let wrong = || key.wrong(format!("`{0}` takes a range: write `{0}({example})`", key.name));
    match syn::parse2(key.list(example)?) {
        Ok(Expr::Range(range)) if range.start.is_some() || range.end.is_some() => Ok(range),
        _ => Err(wrong()),
    }
}

fn number(value: &Expr) -> Result<Number> {
    let wrong = || error(value, "a bound is a number, written out: `1..=10`");
    match value {
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => {
            int.base10_digits().parse().map(Number::Int).map_err(|_| wrong())
        }
        Expr::Lit(ExprLit { lit: Lit::Float(float), .. }) => match float.base10_digits().parse::<f64>() {
            Ok(float) if float.is_finite() => Ok(Number::Float(float)),
            _ => Err(wrong()),
        },
        Expr::Unary(negative) if matches!(negative.op, UnOp::Neg(_)) => match number(&negative.expr)? {
            Number::Int(int) => Ok(Number::Int(-int)),
            Number::Float(float) => Ok(Number::Float(-float)),
        },
        Expr::Group(group) => number(&group.expr),
        _ => Err(wrong()),
    }
}

#[allow(clippy::cast_precision_loss, reason = "only compared")]
fn is_below(a: Number, b: Number) -> bool {
    let float = |number| match number {
        Number::Int(int) => int as f64,
        Number::Float(float) => float,
    };
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => a < b,
        (a, b) => float(a) < float(b),
    }
}
