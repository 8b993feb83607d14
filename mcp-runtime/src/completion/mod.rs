//! Completing the arguments of prompts and the variables of templates (server/utilities/completion).

mod form;
mod listing;
mod source;

pub(crate) use form::Form;
pub use listing::{IntoResourceList, ListSource};

use std::collections::BTreeMap;

use crate::context::Context;
use crate::input::no_requests;
use crate::output::{asks_for_input, chain, protocol_error};
use crate::protocol::{Error, Result};
use crate::registry::BoxFuture;

/// What is being completed: the text so far, and what the other arguments already are.
pub struct CompletionRequest<'call> {
    pub(crate) value: &'call str,
    pub(crate) arguments: BTreeMap<String, String>,
    pub(crate) ctx: &'call Context,
}

impl CompletionRequest<'_> {
    /// The text that was typed so far.
    pub fn value(&self) -> &str {
        self.value
    }

    /// What another argument already is.
    ///
    /// "Clients should include previous completions in the `context.arguments` object."
    pub fn argument(&self, name: &str) -> Option<&str> {
        self.arguments.get(name).map(String::as_str)
    }

    /// The request's context, for [`Context::state`].
    pub fn context(&self) -> &Context {
        self.ctx
    }
}

/// Values for an argument, best first. At most 100 go to the client; the rest is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    pub(crate) values: Vec<String>,
}

impl Completions {
    /// The most that one answer holds: "Maximum 100 items per response".
    pub(crate) const LIMIT: usize = 100;

    /// Those of `candidates` that go with what was typed: those that start with it, then those that contain
    /// it, without regard to case.
    ///
    /// ```
    /// use mcp_runtime::Completions;
    ///
    /// let matches = Completions::matching("py", ["numpy", "python", "rust"]);
    /// assert_eq!(matches, Completions::from_iter(["python", "numpy"]));
    /// ```
    pub fn matching(typed: &str, candidates: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let typed = typed.to_lowercase();
        let (mut first, mut then) = (Vec::new(), Vec::new());
        for candidate in candidates {
            let candidate = candidate.into();
            let folded = candidate.to_lowercase();
            if folded.starts_with(&typed) {
                first.push(candidate);
            } else if folded.contains(&typed) {
                then.push(candidate);
            }
        }
        first.append(&mut then);
        Self { values: first }
    }
}

impl<S: Into<String>> FromIterator<S> for Completions {
    fn from_iter<I: IntoIterator<Item = S>>(values: I) -> Self {
        Self { values: values.into_iter().map(Into::into).collect() }
    }
}

/// What a completing function returns: a list of strings, or a `Result` of one.
pub trait IntoCompletions {
    /// The values, or the error that the client gets.
    fn into_completions(self) -> std::result::Result<Completions, Error>;
}

impl IntoCompletions for Completions {
    fn into_completions(self) -> std::result::Result<Completions, Error> {
        Ok(self)
    }
}

impl<S: Into<String>> IntoCompletions for Vec<S> {
    fn into_completions(self) -> std::result::Result<Completions, Error> {
        Ok(self.into_iter().collect())
    }
}

impl<S: Into<String>, const N: usize> IntoCompletions for [S; N] {
    fn into_completions(self) -> std::result::Result<Completions, Error> {
        Ok(self.into_iter().collect())
    }
}

impl IntoCompletions for &[&str] {
    fn into_completions(self) -> std::result::Result<Completions, Error> {
        Ok(self.iter().copied().collect())
    }
}

impl<T: IntoCompletions, E: Into<Box<dyn std::error::Error + Send + Sync>>> IntoCompletions for Result<T, E> {
    fn into_completions(self) -> std::result::Result<Completions, Error> {
        self.map_err(into_protocol_error)?.into_completions()
    }
}

fn into_protocol_error<E: Into<Box<dyn std::error::Error + Send + Sync>>>(error: E) -> Error {
    let error = error.into();
    if asks_for_input(&*error) {
        return no_requests();
    }
    protocol_error(&*error).unwrap_or_else(|| Error::internal(chain(&*error)))
}

/// A function that `complete = ..` can name.
///
/// It takes the text so far as `&str`, then, if it wants, `&Context` or a `State<T>`; or a [`CompletionRequest`] for what the
/// other arguments are. It may be `async`, and returns strings or a `Result` of them.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// fn tables(typed: &str) -> Completions {
///     Completions::matching(typed, ["orders", "customers"])
/// }
///
/// /// A table's columns.
/// #[resource("db://{table}/columns")]
/// fn columns(#[arg(complete = tables)] table: String) -> String {
///     format!("the columns of {table}")
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "this cannot be named by `complete`",
    label = "not a completing function",
    note = "write `fn name(typed: &str) -> Vec<String>`, with `&Context` or `async` as you need, or take a `&CompletionRequest<'_>` for the other arguments"
)]
pub trait CompletionSource<Via> {
    /// Runs the function.
    #[doc(hidden)]
    fn complete<'call>(
        &'static self,
        request: &'call CompletionRequest<'call>,
    ) -> BoxFuture<'call, std::result::Result<Completions, Error>>;
}
