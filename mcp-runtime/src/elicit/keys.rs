//! What a field's type has to be for its keys, so that a mistake is found at compile time.

use super::choice::ElicitChoice;
use crate::constrain::fits;

/// A number, which `#[elicit(range(..))]` can bound. Implement it for an [`ElicitField`](crate::ElicitField) of your
/// own whose schema is a number.
#[diagnostic::on_unimplemented(
    message = "`range(..)` bounds a number, and `{Self}` is none",
    label = "`{Self}` has no range",
    note = "`length(..)` bounds a text, and `items(..)` a selection"
)]
pub trait ElicitNumber {
    /// Does nothing: that it can be called is the check.
    #[doc(hidden)]
    fn fits() {}
}

/// A text, which `#[elicit(length(..))]` and `#[elicit(format = "..")]` can describe. Implement it for an
/// [`ElicitField`](crate::ElicitField) of your own whose schema is a string.
#[diagnostic::on_unimplemented(
    message = "`length(..)` and `format` describe a text, and `{Self}` is none",
    label = "`{Self}` is not a text",
    note = "`range(..)` bounds a number, and `items(..)` a selection"
)]
pub trait ElicitText {
    /// Does nothing: that it can be called is the check.
    #[doc(hidden)]
    fn fits() {}
}

/// A selection of several choices, whose number `#[elicit(items(..))]` can bound.
#[diagnostic::on_unimplemented(
    message = "`items(..)` bounds how many choices a selection has, and `{Self}` is none",
    label = "`{Self}` is one answer",
    note = "a selection is `Vec` of a choice; `range(..)` bounds a number, and `length(..)` a text"
)]
pub trait ElicitSelection {
    /// Does nothing: that it can be called is the check.
    #[doc(hidden)]
    fn fits() {}
}

fits! { ElicitNumber:
    [] i8, [] i16, [] i32, [] i64, [] isize, [] u8, [] u16, [] u32, [] u64, [] usize, [] f32, [] f64,
    [T: ElicitNumber] Option<T>,
}

fits! { ElicitText: [] String, [T: ElicitText] Option<T>, }

fits! { ElicitSelection: [E: ElicitChoice] Vec<E>, [T: ElicitSelection] Option<T>, }
