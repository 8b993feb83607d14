//! `range(..)`, and the counts `length(..)` and `items(..)`.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, ExprRange, Lit, RangeLimits, Token, UnOp};

use crate::error::{Error, Errors, Result, error};
use crate::keys::Key;

/// A bound of `range(..)`.
#[derive(Clone, Copy)]
pub(crate) enum Number {
    Int(i128),
    Float(f64),
}

/// From, to.
pub(crate) struct Bounds<T> {
    pub(crate) least: Option<T>,
    pub(crate) most: Option<T>,
    /// The `..` in front of a `most` that is itself outside.
    pub(crate) half_open: Option<Token![..]>,
    /// Where the key is.
    pub(crate) span: Span,
}

impl Bounds<Number> {
    /// `range(1..=10)`.
    pub(crate) fn range(key: &Key) -> Result<Self> {
        let range = written(key)?;
        let number = |bound: &Expr| {
            Number::read(bound).ok_or_else(|| {
                error(bound, format!("a bound is a number, written out: `{}(1..=10)`", key.name))
            })
        };
        let least = range.start.as_deref().map(number).transpose()?;
        let most = range.end.as_deref().map(number).transpose()?;
        let half_open = match &range.limits {
            RangeLimits::HalfOpen(dots) if most.is_some() => Some(*dots),
            _ => None,
        };
        if let (Some(least), Some(most)) = (least, most)
            && (most.is_below(least) || half_open.is_some() && !least.is_below(most))
        {
            return Err(nothing(&range));
        }
        Ok(Self { least, most, half_open, span: key.path.span() })
    }

    /// Notes a default that is a number outside.
    pub(crate) fn reject_default(&self, default: &Expr, errors: &mut Errors) {
        let Some(value) = Number::read(default) else { return };
        let is_above =
            |most: Number| most.is_below(value) || self.half_open.is_some() && !value.is_below(most);
        if self.least.is_some_and(|least| value.is_below(least)) {
            errors.note(default, "the default is below the range that `range(..)` allows");
        } else if self.most.is_some_and(is_above) {
            errors.note(default, "the default is above the range that `range(..)` allows");
        }
    }
}

impl Bounds<u64> {
    /// `length(1..=10)`; both bounds are inside, however they are written.
    pub(crate) fn count(key: &Key) -> Result<Self> {
        let range = written(key)?;
        let count = |bound: &Expr| match Number::read(bound) {
            Some(Number::Int(count)) => u64::try_from(count).ok(),
            _ => None,
        };
        let count = |bound: &Expr| {
            count(bound).ok_or_else(|| {
                error(bound, format!("a count is a whole number, not below zero: `{}(1..=10)`", key.name))
            })
        };
        let least = range.start.as_deref().map(count).transpose()?;
        let mut most = range.end.as_deref().map(count).transpose()?;
        if matches!(range.limits, RangeLimits::HalfOpen(_)) {
            most = most.map(|end| end.checked_sub(1).ok_or_else(|| nothing(&range))).transpose()?;
        }
        if let (Some(least), Some(most)) = (least, most)
            && most < least
        {
            return Err(nothing(&range));
        }
        Ok(Self { least, most, half_open: None, span: key.path.span() })
    }

    /// Whether a default of this count is outside.
    pub(crate) fn refuse(&self, count: usize) -> bool {
        let count = count as u64;
        self.least.is_some_and(|least| count < least) || self.most.is_some_and(|most| most < count)
    }
}

impl Number {
    /// A number that is written out, perhaps with a minus.
    fn read(value: &Expr) -> Option<Self> {
        match value {
            Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => int.base10_digits().parse().map(Self::Int).ok(),
            Expr::Lit(ExprLit { lit: Lit::Float(float), .. }) => {
                let float = float.base10_digits().parse::<f64>().ok()?;
                float.is_finite().then_some(Self::Float(float))
            }
            Expr::Unary(negative) if matches!(negative.op, UnOp::Neg(_)) => {
                Some(match Self::read(&negative.expr)? {
                    Self::Int(int) => Self::Int(-int),
                    Self::Float(float) => Self::Float(-float),
                })
            }
            Expr::Group(group) => Self::read(&group.expr),
            _ => None,
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "only compared")]
    fn is_below(self, other: Self) -> bool {
        let float = |number| match number {
            Self::Int(int) => int as f64,
            Self::Float(float) => float,
        };
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a < b,
            (a, b) => float(a) < float(b),
        }
    }
}

fn written(key: &Key) -> Result<ExprRange> {
    let example = "1..=10";
    match syn::parse2(key.list(example)?) {
        Ok(Expr::Range(range)) if range.start.is_some() || range.end.is_some() => Ok(range),
        _ => Err(key.wrong(format!("`{0}` takes a range: write `{0}({example})`", key.name))),
    }
}

fn nothing(range: &ExprRange) -> Error {
    error(range, "nothing is in this range: the first bound has to be the smaller one")
}
