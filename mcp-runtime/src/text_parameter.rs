//! Parameters whose argument is text on the wire: a prompt's arguments and a template's variables.
//!
//! Most types are [`Parameter`]s and are read as such. A type that is only [`FromStr`] is parsed. Which of the two
//! applies is found out by method resolution, which tries the most referenced receiver first; the marker that it
//! comes to decides which implementation of [`TextParameter`] or [`TextArgument`] is meant.

use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::arguments::Arguments;
use crate::parameter::{Argument, Parameter};
use crate::registry::Signature;

/// A type that a parameter of `#[prompt]` can have.
///
/// You never implement it: an argument is `Deserialize + JsonSchema`, or `FromStr` with an error that is
/// `Display`, or an `Option` of such a type, and an injected parameter implements [`FromContext`](crate::FromContext).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter here",
    label = "neither made from text nor something the server injects",
    note = "an argument needs `#[derive(serde::Deserialize, schemars::JsonSchema)]`, or `std::str::FromStr`",
    note = "shared state is taken as `State<{Self}>` and registered with `Server::state`",
    note = "your own injected type implements `mcp_runtime::FromContext`"
)]
pub trait TextParameter<'call, Via>: Sized {
    /// Takes the value from the call; `None` after noting a fault.
    #[doc(hidden)]
    fn extract(arguments: &mut Arguments<'call>, index: usize, via: Via) -> Option<Self>;

    /// The same as `extract`, with a value for an argument that was not given.
    #[doc(hidden)]
    fn extract_or(
        arguments: &mut Arguments<'call>,
        index: usize,
        via: Via,
        default: impl FnOnce() -> Self,
    ) -> Option<Self>;

    /// Tells the registry about the type.
    #[doc(hidden)]
    fn describe(signature: &mut Signature, index: usize, via: Via);
}

/// A parameter of `#[prompt]` or `#[resource]` that certainly comes from the client, because it has `#[arg(..)]` or is
/// a variable of the template.
///
/// You never implement it: it is every type that is `Deserialize + JsonSchema`, or `FromStr` with an error that is
/// `Display`, or an `Option` of such a type.
#[diagnostic::on_unimplemented(
    message = "a client sends this as text, and `{Self}` is not made from text",
    label = "not an argument",
    note = "derive `serde::Deserialize` and `schemars::JsonSchema`, or implement `std::str::FromStr`",
    note = "what the server gives, as `State<..>` and `&Context`, has no `#[arg(..)]`, and not the name of a variable"
)]
pub trait TextArgument<'call, Via>: Sized {
    /// Takes the value from the call; `None` after noting a fault.
    #[doc(hidden)]
    fn extract(arguments: &mut Arguments<'call>, index: usize, via: Via) -> Option<Self>;

    /// The same as `extract`, with a value for an argument that was not given.
    #[doc(hidden)]
    fn extract_or(
        arguments: &mut Arguments<'call>,
        index: usize,
        via: Via,
        default: impl FnOnce() -> Self,
    ) -> Option<Self>;

    /// Tells the registry about the type.
    #[doc(hidden)]
    fn describe(signature: &mut Signature, index: usize, via: Via);
}

/// Marks a type that is a [`Parameter`] itself.
pub struct Direct<Via>(PhantomData<Via>);

/// Marks a type that is parsed.
pub struct Parsed;

/// Marks an `Option` of a type that is parsed.
pub struct ParsedIfGiven;

/// Marks a type that is none of these.
pub struct Neither;

#[diagnostic::do_not_recommend]
impl<'call, Via, T> TextParameter<'call, Direct<Via>> for T
where
    T: Parameter<'call, Via>,
{
    fn extract(arguments: &mut Arguments<'call>, index: usize, _: Direct<Via>) -> Option<Self> {
        <T as Parameter<'call, Via>>::extract(arguments, index)
    }

    fn extract_or(
        arguments: &mut Arguments<'call>,
        index: usize,
        _: Direct<Via>,
        default: impl FnOnce() -> Self,
    ) -> Option<Self> {
        <T as Parameter<'call, Via>>::extract_or(arguments, index, default)
    }

    fn describe(signature: &mut Signature, index: usize, _: Direct<Via>) {
        <T as Parameter<'call, Via>>::describe(signature, index);
    }
}

#[diagnostic::do_not_recommend]
impl<'call, T> TextArgument<'call, Direct<Argument>> for T
where
    T: Deserialize<'call> + JsonSchema,
{
    fn extract(arguments: &mut Arguments<'call>, index: usize, _: Direct<Argument>) -> Option<Self> {
        <T as Parameter<'call, Argument>>::extract(arguments, index)
    }

    fn extract_or(
        arguments: &mut Arguments<'call>,
        index: usize,
        _: Direct<Argument>,
        default: impl FnOnce() -> Self,
    ) -> Option<Self> {
        <T as Parameter<'call, Argument>>::extract_or(arguments, index, default)
    }

    fn describe(signature: &mut Signature, index: usize, _: Direct<Argument>) {
        <T as Parameter<'call, Argument>>::describe(signature, index);
    }
}

/// What is parsed is so the same way, whether it has to come from the client or not.
macro_rules! parsed {
    ($($text:ident)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl<'call, T> $text<'call, Parsed> for T
            where
                T: FromStr<Err: Display>,
            {
                fn extract(arguments: &mut Arguments<'call>, index: usize, _: Parsed) -> Option<Self> {
                    arguments.parse(index, None::<fn() -> T>)
                }

                fn extract_or(
                    arguments: &mut Arguments<'call>,
                    index: usize,
                    _: Parsed,
                    default: impl FnOnce() -> Self,
                ) -> Option<Self> {
                    arguments.parse(index, Some(default))
                }

                fn describe(signature: &mut Signature, index: usize, _: Parsed) {
                    signature.text(index);
                }
            }

            #[diagnostic::do_not_recommend]
            impl<'call, T> $text<'call, ParsedIfGiven> for Option<T>
            where
                T: FromStr<Err: Display>,
            {
                fn extract(arguments: &mut Arguments<'call>, index: usize, _: ParsedIfGiven) -> Option<Self> {
                    arguments.parse(index, Some(|| IfGiven(None))).map(|IfGiven(value)| value)
                }

                fn extract_or(
                    arguments: &mut Arguments<'call>,
                    index: usize,
                    _: ParsedIfGiven,
                    default: impl FnOnce() -> Self,
                ) -> Option<Self> {
                    arguments.parse(index, Some(|| IfGiven(default()))).map(|IfGiven(value)| value)
                }

                fn describe(signature: &mut Signature, index: usize, _: ParsedIfGiven) {
                    signature.argument::<Option<String>>(index);
                }
            }
        )*
    };
}

parsed!(TextParameter TextArgument);

/// What is parsed where it is given.
struct IfGiven<T>(Option<T>);

impl<T: FromStr> FromStr for IfGiven<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<Self, T::Err> {
        text.parse().map(|value| Self(Some(value)))
    }
}

/// A type to be probed.
pub struct Text<T>(PhantomData<T>);

impl<T> Text<T> {
    /// The probe; `(&&Text::<T>::NEW).via_parameter()` gives the marker.
    pub const NEW: Self = Self(PhantomData);

    /// The last resort of both probes, where no trait applies.
    pub fn via_parameter(self) -> Neither {
        Neither
    }

    /// As `via_parameter`.
    pub fn via_argument(self) -> Neither {
        Neither
    }
}

impl<T> Clone for Text<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Text<T> {}

/// The first step: what is a [`Parameter`].
pub trait ProbeDirect<'call, Via> {
    /// The marker.
    fn via_parameter(self) -> Direct<Via>;
}

impl<'call, Via, T: Parameter<'call, Via>> ProbeDirect<'call, Via> for &&Text<T> {
    fn via_parameter(self) -> Direct<Via> {
        Direct(PhantomData)
    }
}

/// The first step for what must come from the client.
pub trait ProbeArgument<'call> {
    /// The marker.
    fn via_argument(self) -> Direct<Argument>;
}

impl<'call, T: Parameter<'call, Argument>> ProbeArgument<'call> for &&Text<T> {
    fn via_argument(self) -> Direct<Argument> {
        Direct(PhantomData)
    }
}

/// The second step: what is parsed.
pub trait ProbeParsed {
    /// The marker.
    fn via_parameter(self) -> Parsed;

    /// As `via_parameter`.
    fn via_argument(self) -> Parsed;
}

impl<T: FromStr<Err: Display>> ProbeParsed for &Text<T> {
    fn via_parameter(self) -> Parsed {
        Parsed
    }

    fn via_argument(self) -> Parsed {
        Parsed
    }
}

/// The second step for an `Option` of what is parsed.
pub trait ProbeParsedIfGiven {
    /// The marker.
    fn via_parameter(self) -> ParsedIfGiven;

    /// As `via_parameter`.
    fn via_argument(self) -> ParsedIfGiven;
}

impl<T: FromStr<Err: Display>> ProbeParsedIfGiven for &Text<Option<T>> {
    fn via_parameter(self) -> ParsedIfGiven {
        ParsedIfGiven
    }

    fn via_argument(self) -> ParsedIfGiven {
        ParsedIfGiven
    }
}
