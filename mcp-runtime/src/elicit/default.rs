//! `#[elicit(default = ..)]`.

use std::borrow::Cow;

use super::choice::ElicitChoice;

/// A value that can be the default of a field of type `T`.
///
/// Every value is one of its own type and of its `Option`; a `&str` is one of a `String`, a whole number of an `f64`
/// or `f32`, and an array of a `Vec`. Implement it for an [`ElicitField`](crate::ElicitField) of your own.
#[diagnostic::on_unimplemented(
    message = "the default is a `{Self}`, and the field a `{T}`",
    label = "not a default of `{T}`"
)]
pub trait ElicitDefault<T> {
    /// The value as the field's.
    fn default_for(self) -> T;
}

// Pairs, and nothing generic in `Self`: a literal has no type before one of these gives it one.
macro_rules! defaults {
    ($([$($generics:tt)*] $default:ty => $field:ty: $value:ident $convert:expr;)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl<$($generics)*> ElicitDefault<$field> for $default {
                fn default_for(self) -> $field {
                    let $value = self;
                    $convert
                }
            }

            #[diagnostic::do_not_recommend]
            impl<$($generics)*> ElicitDefault<Option<$field>> for $default {
                fn default_for(self) -> Option<$field> {
                    let $value = self;
                    Some($convert)
                }
            }
        )*
    };
}

macro_rules! themselves {
    ($($ty:ty)*) => { defaults! { $([] $ty => $ty: value value;)* } };
}

themselves! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 bool String }

defaults! {
    [] &str => String: text text.to_owned();
    [] &String => String: text text.clone();
    [] Cow<'_, str> => String: text text.into_owned();
    [] char => String: char char.to_string();
    [] i32 => f64: int f64::from(int);
    [E: ElicitChoice] E => E: choice choice;
    [T] Vec<T> => Vec<T>: list list;
    [T, const N: usize] [T; N] => Vec<T>: list list.into();
    // No form has such a field: this keeps the default of one from being a second mistake.
    [const N: usize] [&str; N] => Vec<String>: list list.map(str::to_owned).into();
}

#[diagnostic::do_not_recommend]
impl ElicitDefault<f32> for i32 {
    #[allow(
        clippy::cast_precision_loss,
        reason = "the author wrote the number, and the form shows what it became"
    )]
    fn default_for(self) -> f32 {
        self as f32
    }
}

#[diagnostic::do_not_recommend]
impl ElicitDefault<Option<f32>> for i32 {
    fn default_for(self) -> Option<f32> {
        Some(self.default_for())
    }
}

#[diagnostic::do_not_recommend]
impl<T> ElicitDefault<Self> for Option<T> {
    fn default_for(self) -> Self {
        self
    }
}
