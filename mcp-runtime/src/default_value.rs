//! `#[arg(default = ..)]`: the value, and its JSON for the schema.

use serde::Serialize;
use serde_json::Value;

/// A value that can be the default of a parameter of type `T`.
///
/// You never implement it: it is what [`Into`] is.
#[diagnostic::on_unimplemented(
    message = "a default of type `{Self}` cannot be a `{T}`",
    label = "neither a `{T}` nor converted into one by `From`"
)]
pub trait DefaultFor<T> {
    /// The value as the parameter's.
    #[doc(hidden)]
    fn default_for(self) -> T;
}

#[diagnostic::do_not_recommend]
impl<T, D: Into<T>> DefaultFor<T> for D {
    fn default_for(self) -> T {
        self.into()
    }
}

/// A default to be shown in a schema; `(&&Shown(value)).default_json()` gives its JSON where it has one.
pub struct Shown<T>(pub T);

/// The first step: what can be serialized.
pub trait ShowSerialized {
    /// The JSON of the default.
    fn default_json(&self) -> Option<Value>;
}

impl<T: Serialize> ShowSerialized for &Shown<T> {
    fn default_json(&self) -> Option<Value> {
        serde_json::to_value(&self.0).ok()
    }
}

/// The second step: a default without a JSON form.
pub trait ShowNothing {
    /// Nothing.
    fn default_json(&self) -> Option<Value>;
}

impl<T> ShowNothing for Shown<T> {
    fn default_json(&self) -> Option<Value> {
        None
    }
}
