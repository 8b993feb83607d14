//! Numbers compared as the mathematical values they are.
//!
//! A cast to `f64` would make 9007199254740993 equal to 9007199254740992; nothing here rounds.

use std::cmp::Ordering;

use serde_json::{Number, Value};

/// 2^53, up to which every integer has a double of its own.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// 2^127, beyond every integer that a JSON number here can be.
const BEYOND: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;

/// The integer that `number` is written as, without a fraction or an exponent.
fn integer(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// Whether `number` has no fractional part, so that it is an integer to JSON Schema: `3` and `3.0`, not `3.5`.
pub(crate) fn is_integral(number: &Number) -> bool {
    integer(number).is_some() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
}

/// Compares two numbers exactly.
pub(crate) fn compare(left: &Number, right: &Number) -> Ordering {
    match (integer(left), integer(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        (Some(left), None) => compare_to_float(left, right.as_f64().unwrap_or(f64::NAN)),
        (None, Some(right)) => compare_to_float(right, left.as_f64().unwrap_or(f64::NAN)).reverse(),
        (None, None) => left.as_f64().partial_cmp(&right.as_f64()).unwrap_or(Ordering::Equal),
    }
}

/// Compares an integer with a double, neither of them rounded.
#[allow(clippy::cast_possible_truncation, reason = "the double is whole and within range")]
fn compare_to_float(integer: i128, float: f64) -> Ordering {
    if float >= BEYOND {
        return Ordering::Less;
    }
    if float < -BEYOND {
        return Ordering::Greater;
    }
    integer
        .cmp(&(float.trunc() as i128))
        .then_with(|| 0.0_f64.partial_cmp(&float.fract()).unwrap_or(Ordering::Equal))
}

/// Whether `number` divided by `divisor` is an integer. Decimal fractions count as what they are written as, so 0.07
/// is a multiple of 0.01.
#[allow(clippy::float_cmp, reason = "whole numbers are compared")]
pub(super) fn is_multiple(number: &Number, divisor: &Number) -> bool {
    if let (Some(number), Some(divisor)) = (whole(number), whole(divisor)) {
        return divisor != 0 && number % divisor == 0;
    }
    let (Some(number), Some(divisor)) = (number.as_f64(), divisor.as_f64()) else {
        return false;
    };
    let quotient = number / divisor;
    let distance = (quotient - quotient.round()).abs();
    quotient.is_finite() && distance <= quotient.abs().max(1.0) * 1e-12
}

/// The integer that `number` is, also when it is written as `3.0`.
#[allow(clippy::cast_possible_truncation, reason = "the double is whole and within range")]
pub(crate) fn whole(number: &Number) -> Option<i128> {
    integer(number).or_else(|| {
        let float = number.as_f64()?;
        (float.fract() == 0.0 && float.abs() < BEYOND).then_some(float as i128)
    })
}

/// The integer that a whole double is, where the double stands for that integer and no other (up to 2^53).
#[allow(clippy::cast_possible_truncation, reason = "the double is whole and within range")]
pub(crate) fn exact_integer(number: &Number) -> Option<i64> {
    let float = number.as_f64()?;
    (float.fract() == 0.0 && float.abs() <= EXACT).then_some(float as i64)
}

/// Equality as JSON Schema has it (Core 2020-12, section 4.2.2): numbers by mathematical value, objects whatever the
/// order of their members.
pub(super) fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => compare(left, right).is_eq(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| equal(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, left)| right.get(key).is_some_and(|right| equal(left, right)))
        }
        _ => left == right,
    }
}

/// Writes `value` so that two values have the same text exactly if they are [`equal`].
pub(super) fn write_canonical(value: &Value, text: &mut String) {
    use std::fmt::Write as _;

    match value {
        Value::Number(number) => {
            let _ = match whole(number) {
                Some(whole) => write!(text, "{whole}"),
                None => write!(text, "{number}"),
            };
        }
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write_canonical(item, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by_key(|(key, _)| *key);
            text.push('{');
            for (key, member) in members {
                let _ = write!(text, "{key:?}:");
                write_canonical(member, text);
                text.push(',');
            }
            text.push('}');
        }
        scalar => {
            let _ = write!(text, "{scalar}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn number(value: &Value) -> &Number {
        value.as_number().unwrap()
    }

    #[test]
    fn big_integers_are_not_rounded() {
        let order = |left: Value, right: Value| compare(number(&left), number(&right));
        assert_eq!(
            order(json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992_u64)),
            Ordering::Greater
        );
        assert_eq!(
            order(json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992.0)),
            Ordering::Greater
        );
        assert_eq!(order(json!(u64::MAX), json!(i64::MIN)), Ordering::Greater);
        assert_eq!(order(json!(u64::MAX), json!(18_446_744_073_709_551_616.0)), Ordering::Less);
        assert_eq!(order(json!(3), json!(3.0)), Ordering::Equal);
        assert_eq!(order(json!(-3), json!(-3.5)), Ordering::Greater);
        assert_eq!(order(json!(3.5), json!(3)), Ordering::Greater);
        assert_eq!(order(json!(1e300), json!(u64::MAX)), Ordering::Greater);
    }

    #[test]
    fn multiples_are_decimal() {
        let multiple = |value: Value, of: Value| is_multiple(number(&value), number(&of));
        assert!(multiple(json!(15), json!(5)));
        assert!(multiple(json!(15.0), json!(5)));
        assert!(!multiple(json!(16), json!(5)));
        assert!(multiple(json!(0.07), json!(0.01)));
        assert!(!multiple(json!(0.075), json!(0.01)));
        assert!(!multiple(json!(u64::MAX), json!(2)));
    }

    #[test]
    fn equality_is_mathematical_and_ignores_member_order() {
        assert!(equal(&json!({ "a": 1, "b": [2.0] }), &json!({ "b": [2], "a": 1.0 })));
        assert!(!equal(&json!([1, 2]), &json!([2, 1])));
        let canonical = |value: &Value| {
            let mut text = String::new();
            write_canonical(value, &mut text);
            text
        };
        assert_eq!(canonical(&json!({ "a": 1, "b": [2.0] })), canonical(&json!({ "b": [2], "a": 1.0 })));
        assert_ne!(canonical(&json!(["1"])), canonical(&json!([1])));
    }
}
