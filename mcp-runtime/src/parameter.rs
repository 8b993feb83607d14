//! What a parameter of a function is: an argument from the client, or something injected.

use std::any::TypeId;
use std::ops::Deref;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::arguments::Arguments;
use crate::context::Context;
use crate::registry::Signature;
use crate::{Error, ServerHandle};

/// Marks parameters that come from the client's arguments.
pub struct Argument;

/// Marks parameters that come from the server.
pub struct Injected;

/// A type that a parameter of `#[tool]`, `#[resource]` or `#[prompt]` can have.
///
/// You never implement it: a type that is `Deserialize + JsonSchema` is an argument, and one that is
/// [`FromContext`] is injected. The second type parameter tells the two apart and is always inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter here",
    label = "neither an argument nor something the server injects",
    note = "an argument needs `#[derive(serde::Deserialize, schemars::JsonSchema)]`",
    note = "shared state is taken as `State<{Self}>` and registered with `Server::state`",
    note = "your own injected type implements `mcp_runtime::FromContext`"
)]
pub trait Parameter<'call, Via>: Sized {
    /// Takes the value from the call; `None` after noting a fault.
    #[doc(hidden)]
    fn extract(arguments: &mut Arguments<'call>, index: usize) -> Option<Self>;

    /// Tells the registry about the type.
    #[doc(hidden)]
    fn describe(signature: &mut Signature, index: usize);

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
}

#[diagnostic::do_not_recommend]
impl<'call, T> Parameter<'call, Argument> for T
where
    T: Deserialize<'call> + JsonSchema,
{
    fn extract(arguments: &mut Arguments<'call>, index: usize) -> Option<Self> {
        arguments.decode(index, None::<fn() -> T>)
    }

    fn extract_or(
        arguments: &mut Arguments<'call>,
        index: usize,
        default: impl FnOnce() -> Self,
    ) -> Option<Self> {
        arguments.decode(index, Some(default))
    }

    fn extract_flat(arguments: &mut Arguments<'call>, index: usize) -> Option<Self> {
        arguments.decode_flat(index)
    }

    fn describe(signature: &mut Signature, index: usize) {
        signature.argument::<T>(index);
    }
}

#[diagnostic::do_not_recommend]
impl<'call, T> Parameter<'call, Injected> for T
where
    T: FromContext<'call>,
{
    fn extract(arguments: &mut Arguments<'call>, _: usize) -> Option<Self> {
        arguments.inject()
    }

    fn extract_or(arguments: &mut Arguments<'call>, index: usize, _: impl FnOnce() -> Self) -> Option<Self> {
        Self::extract(arguments, index)
    }

    fn extract_flat(arguments: &mut Arguments<'call>, index: usize) -> Option<Self> {
        Self::extract(arguments, index)
    }

    fn describe(signature: &mut Signature, index: usize) {
        signature.injected::<T>(index);
    }
}

/// A type that the server gives to a function that has a parameter of it.
///
/// [`Context`], `&Context` and [`State`] implement it; implement it for what your functions share.
///
/// ```
/// use mcp_runtime::prelude::*;
/// use mcp_runtime::{Error, FromContext};
///
/// /// Who is asking, from the request's `_meta`.
/// struct Tenant(String);
///
/// impl<'call> FromContext<'call> for Tenant {
///     fn from_context(ctx: &'call Context) -> Result<Self, Error> {
///         let name: Option<String> = ctx.meta("com.example/tenant");
///         name.map(Tenant).ok_or_else(|| Error::invalid_params("send `com.example/tenant` in `_meta`"))
///     }
/// }
///
/// /// Greet the tenant.
/// #[tool]
/// fn greet(tenant: Tenant) -> String {
///     format!("hello, {}", tenant.0)
/// }
/// ```
pub trait FromContext<'call>: Sized {
    /// Makes the value for one call. An error becomes the call's JSON-RPC error.
    fn from_context(ctx: &'call Context) -> Result<Self, Error>;

    /// Says what has to be registered for it, so that what is missing is reported at start-up.
    fn requires(requirements: &mut Requirements) {
        let _ = requirements;
    }
}

impl<'call> FromContext<'call> for &'call Context {
    fn from_context(ctx: &'call Context) -> Result<Self, Error> {
        Ok(ctx)
    }
}

impl<'call> FromContext<'call> for Context {
    fn from_context(ctx: &'call Context) -> Result<Self, Error> {
        Ok(ctx.clone())
    }
}

/// The same as [`Context::server`].
impl<'call> FromContext<'call> for ServerHandle {
    fn from_context(ctx: &'call Context) -> Result<Self, Error> {
        Ok(ctx.server())
    }
}

/// What injected parameters need before the server can start.
#[derive(Default)]
pub struct Requirements {
    pub(crate) states: Vec<(TypeId, &'static str)>,
}

impl Requirements {
    /// Needs a value of this type registered with `Server::state`.
    pub fn state<T: Send + Sync + 'static>(&mut self) {
        self.states.push((TypeId::of::<T>(), std::any::type_name::<T>()));
    }
}

/// A value that was registered with [`Server::state`](crate::Server::state), shared by all calls.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// struct Greeting(&'static str);
///
/// /// Greet someone.
/// #[tool]
/// fn greet(name: String, greeting: State<Greeting>) -> String {
///     format!("{}, {name}", greeting.0)
/// }
///
/// let server = Server::new().state(Greeting("hello"));
/// ```
///
/// A server whose functions take a state that is not registered does not start, and says which.
pub struct State<T>(Arc<T>);

impl<T> State<T> {
    pub(crate) fn shared(value: Arc<T>) -> Self {
        Self(value)
    }

    /// The shared pointer itself, for work that outlives the call.
    pub fn into_inner(self) -> Arc<T> {
        self.0
    }
}

impl<T> Clone for State<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> From<T> for State<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<'call, T: Send + Sync + 'static> FromContext<'call> for State<T> {
    fn from_context(ctx: &'call Context) -> Result<Self, Error> {
        let missing = || {
            let name = std::any::type_name::<T>();
            tracing::error!("no state of type `{name}`: register it with `Server::state`");
            Error::internal("Internal error")
        };
        ctx.shared::<T>().map(State).ok_or_else(missing)
    }

    fn requires(requirements: &mut Requirements) {
        requirements.state::<T>();
    }
}
