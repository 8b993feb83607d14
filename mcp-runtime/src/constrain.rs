//! What a parameter's type has to be for what its attribute says, so that a mistake is found at compile time.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::FromContext;
use crate::arguments::Arguments;
use crate::parameter::{Argument, Injected, Parameter};
use crate::registry::Signature;

/// Says of each of these types that it has a trait whose one method does nothing.
macro_rules! fits {
    ($requirement:ident: $([$($generics:tt)*] $ty:ty,)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl<$($generics)*> $requirement for $ty {}
        )*
    };
}
pub(crate) use fits;

/// A parameter that certainly comes from the client, because it has `#[arg(..)]`.
///
/// You never implement it: every type that is `Deserialize + JsonSchema` has it.
#[diagnostic::on_unimplemented(
    message = "`#[arg(..)]` describes what a client sends, and a client cannot send `{Self}`",
    label = "not an argument",
    note = "remove `#[arg(..)]` if the server gives the value, as it does for `State<..>` and `&Context`",
    note = "an argument needs `#[derive(serde::Deserialize, schemars::JsonSchema)]`"
)]
pub trait ClientArgument<'call>: Sized {
    /// Takes the value from the call; `None` after noting a fault.
    #[doc(hidden)]
    fn extract(arguments: &mut Arguments<'call>, index: usize) -> Option<Self>;

    /// The same as `extract`, with a value for an argument that was not given.
    #[doc(hidden)]
    fn extract_or(
        arguments: &mut Arguments<'call>,
        index: usize,
        default: impl FnOnce() -> Self,
    ) -> Option<Self>;

    /// Takes all the arguments as the fields of this one.
    #[doc(hidden)]
    fn extract_flat(arguments: &mut Arguments<'call>, index: usize) -> Option<Self>;

    /// Tells the registry about the type.
    #[doc(hidden)]
    fn describe(signature: &mut Signature, index: usize);
}

#[diagnostic::do_not_recommend]
impl<'call, T: Deserialize<'call> + JsonSchema> ClientArgument<'call> for T {
    fn extract(arguments: &mut Arguments<'call>, index: usize) -> Option<Self> {
        <T as Parameter<'call, Argument>>::extract(arguments, index)
    }

    fn extract_or(
        arguments: &mut Arguments<'call>,
        index: usize,
        default: impl FnOnce() -> Self,
    ) -> Option<Self> {
        <T as Parameter<'call, Argument>>::extract_or(arguments, index, default)
    }

    fn extract_flat(arguments: &mut Arguments<'call>, index: usize) -> Option<Self> {
        <T as Parameter<'call, Argument>>::extract_flat(arguments, index)
    }

    fn describe(signature: &mut Signature, index: usize) {
        <T as Parameter<'call, Argument>>::describe(signature, index);
    }
}

/// The element of a parameter `&[T]`.
///
/// You never implement it: every type that is `Deserialize + JsonSchema` has it.
#[diagnostic::on_unimplemented(
    message = "`&[{Self}]` cannot be a parameter: a client cannot send `{Self}`",
    label = "not an argument",
    note = "an argument needs `#[derive(serde::Deserialize, schemars::JsonSchema)]`"
)]
pub trait SliceElement<'call>: Sized {
    /// Takes the elements from the call; `None` after noting a fault.
    #[doc(hidden)]
    fn extract(arguments: &mut Arguments<'call>, index: usize) -> Option<Vec<Self>>;

    /// The same as `extract`, with elements for an argument that was not given.
    #[doc(hidden)]
    fn extract_or(
        arguments: &mut Arguments<'call>,
        index: usize,
        default: impl FnOnce() -> Vec<Self>,
    ) -> Option<Vec<Self>>;

    /// Tells the registry about the type.
    #[doc(hidden)]
    fn describe(signature: &mut Signature, index: usize);
}

#[diagnostic::do_not_recommend]
impl<'call, T: Deserialize<'call> + JsonSchema> SliceElement<'call> for T {
    fn extract(arguments: &mut Arguments<'call>, index: usize) -> Option<Vec<Self>> {
        <Vec<T> as Parameter<'call, Argument>>::extract(arguments, index)
    }

    fn extract_or(
        arguments: &mut Arguments<'call>,
        index: usize,
        default: impl FnOnce() -> Vec<Self>,
    ) -> Option<Vec<Self>> {
        <Vec<T> as Parameter<'call, Argument>>::extract_or(arguments, index, default)
    }

    fn describe(signature: &mut Signature, index: usize) {
        <Vec<T> as Parameter<'call, Argument>>::describe(signature, index);
    }
}

/// A parameter of `#[resource]` that no variable of the URI gives a value to.
///
/// You never implement it: every type that is [`FromContext`] has it.
#[diagnostic::on_unimplemented(
    message = "nothing gives this parameter a value: the URI has no variable of its name, and the server does not inject `{Self}`",
    label = "no `{{..}}` in the URI has this name",
    note = "write the parameter's name in braces where its value stands in the URI, or rename it to the variable that is meant",
    note = "shared state is taken as `State<..>` and registered with `Server::state`"
)]
pub trait InjectedParameter<'call>: Sized {
    /// Makes the value for one call; `None` after noting an error.
    #[doc(hidden)]
    fn extract(arguments: &mut Arguments<'call>, index: usize) -> Option<Self>;

    /// Tells the registry about the type.
    #[doc(hidden)]
    fn describe(signature: &mut Signature, index: usize);
}

#[diagnostic::do_not_recommend]
impl<'call, T: FromContext<'call>> InjectedParameter<'call> for T {
    fn extract(arguments: &mut Arguments<'call>, index: usize) -> Option<Self> {
        <T as Parameter<'call, Injected>>::extract(arguments, index)
    }

    fn describe(signature: &mut Signature, index: usize) {
        <T as Parameter<'call, Injected>>::describe(signature, index);
    }
}

/// A parameter for a variable that a URI can leave out, as in `{?limit}`.
#[diagnostic::on_unimplemented(
    message = "a URI can leave this variable out, and `{Self}` has no value for that",
    label = "write `Option<{Self}>`, or `#[arg(default = ..)]` in front of the parameter"
)]
pub trait OptionalArgument {
    /// Does nothing: that it can be called is the check.
    #[doc(hidden)]
    fn fits() {}
}

#[diagnostic::do_not_recommend]
impl<T> OptionalArgument for Option<T> {}

/// A number, which `#[arg(range(..))]` can bound.
///
/// Implement it for a number type of your own:
///
/// ```
/// use mcp_runtime::Ranged;
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Celsius(f64);
///
/// impl Ranged for Celsius {}
/// ```
#[diagnostic::on_unimplemented(
    message = "`range(..)` bounds a number, and `{Self}` is none",
    label = "`{Self}` has no range",
    note = "`length(..)` bounds strings, lists and maps; `impl mcp_runtime::Ranged` for a number type of your own"
)]
pub trait Ranged {
    /// Does nothing: that it can be called is the check.
    #[doc(hidden)]
    fn fits() {}
}

/// A string, list or map, which `#[arg(length(..))]` can bound. Implement it for such a type of your own.
#[diagnostic::on_unimplemented(
    message = "`length(..)` bounds a string, a list or a map, and `{Self}` is none",
    label = "`{Self}` has no length",
    note = "`range(..)` bounds numbers; `impl mcp_runtime::Measured` for a collection of your own"
)]
pub trait Measured {
    /// Does nothing: that it can be called is the check.
    #[doc(hidden)]
    fn fits() {}
}

/// A string, which `#[arg(pattern = "..")]` and `#[arg(format = "..")]` can describe. Implement it for a type of your
/// own that is a string on the wire.
#[diagnostic::on_unimplemented(
    message = "`pattern` and `format` describe a string, and `{Self}` is none",
    label = "`{Self}` is not a string",
    note = "`impl mcp_runtime::Textual` for a type of your own that is a string on the wire"
)]
pub trait Textual {
    /// Does nothing: that it can be called is the check.
    #[doc(hidden)]
    fn fits() {}
}

fits! { Ranged:
    [] i8, [] i16, [] i32, [] i64, [] i128, [] isize,
    [] u8, [] u16, [] u32, [] u64, [] u128, [] usize,
    [] f32, [] f64,
    [] std::num::NonZeroU8, [] std::num::NonZeroU16, [] std::num::NonZeroU32, [] std::num::NonZeroU64,
    [] std::num::NonZeroUsize,
    [T: Ranged] Option<T>, [T: Ranged] Box<T>,
}

fits! { Textual:
    [] str, [] String, [] char, [] Path, [] PathBuf,
    [T: Textual + ?Sized] &T, [T: Textual + ToOwned + ?Sized] Cow<'_, T>, [T: Textual + ?Sized] Box<T>,
    [T: Textual] Option<T>,
}

fits! { Measured:
    [] str, [] String, [] Path, [] PathBuf,
    [T] [T], [T] Vec<T>, [T] VecDeque<T>, [T, S] HashSet<T, S>, [T] BTreeSet<T>,
    [K, V, S] HashMap<K, V, S>, [K, V] BTreeMap<K, V>, [] serde_json::Map<String, serde_json::Value>,
    [T: Measured + ?Sized] &T, [T: Measured + ToOwned + ?Sized] Cow<'_, T>, [T: Measured + ?Sized] Box<T>,
    [T: Measured] Option<T>,
}

/// A parameter that `#[arg(header = "..")]` can mirror into an HTTP header (server/tools, x-mcp-header): "primitive
/// types (integer, string, boolean)".
///
/// You never implement it. Of a type of your own, the schema decides when the server starts.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be mirrored into a header",
    label = "a header holds an integer, a string or a bool",
    note = "the specification permits no number with a fraction, no list and no map"
)]
pub trait HeaderArgument<const PERMITTED: bool> {
    /// Does nothing: that it can be called is the check.
    #[doc(hidden)]
    fn fits() {}
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> HeaderArgument<true> for T {}

/// Tells whether a type is one of those that no header can hold: its own constant, where it has one, hides that of
/// [`PermittedUnlessRefused`].
pub struct HeaderProbe<T>(PhantomData<T>);

impl<T: NoHeader> HeaderProbe<T> {
    /// Refused.
    pub const PERMITTED: bool = false;
}

/// For what is not refused.
pub trait PermittedUnlessRefused {
    /// Permitted.
    const PERMITTED: bool = true;
}

impl<T> PermittedUnlessRefused for HeaderProbe<T> {}

/// A type that no header can hold.
pub trait NoHeader {}

fits! { NoHeader:
    [] f32, [] f64, [] (),
    [T] [T], [T] Vec<T>, [T] VecDeque<T>, [T, S] HashSet<T, S>, [T] BTreeSet<T>,
    [K, V, S] HashMap<K, V, S>, [K, V] BTreeMap<K, V>,
    [T: NoHeader + ?Sized] &T, [T: NoHeader] Option<T>, [T: NoHeader + ?Sized] Box<T>,
}
