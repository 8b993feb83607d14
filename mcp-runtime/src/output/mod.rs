//! From what a function returns to what the client gets.

mod answer;
mod line;
mod prompt;
mod resource;
mod tool;

pub(crate) use answer::Answer;
pub(crate) use answer::{
    INPUT_REQUIRED, ResultWriter, error_response, notification, request, result_response, write,
};
pub(crate) use line::on_one_line;
pub use prompt::{PromptOutput, PromptWriter};
pub use resource::{ResourceOutput, ResourceWriter};
pub use tool::{Json, ToolOutput, ToolResult, ToolWriter};

use std::error::Error as StdError;
use std::fmt::Write as _;

use crate::Context;
use crate::input::InputRequired;
use crate::protocol::{Error, Says};

/// The most causes of an error that are followed; an error can be its own cause.
const CAUSES: usize = 64;

/// The text of an error with everything that caused it, outermost first.
pub(crate) fn chain(error: &(dyn StdError + 'static)) -> String {
    let mut text = error.to_string();
    // What a protocol error says is its own text again.
    for cause in causes(error).skip(1).filter(|cause| !cause.is::<Says>()) {
        let cause_text = cause.to_string();
        // Some errors already print their cause.
        if !text.ends_with(&cause_text) {
            let _ = write!(text, ": {cause_text}");
        }
    }
    text
}

/// An error, what caused it, what caused that, and so on.
fn causes<'e>(error: &'e (dyn StdError + 'static)) -> impl Iterator<Item = &'e (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |error| (**error).source()).take(CAUSES)
}

/// An error that a tool, resource or prompt can return.
///
/// You never implement it: it is what converts into `Box<dyn std::error::Error + Send + Sync>`, as strings, every
/// standard error and `anyhow::Error` do.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a `Result` here",
    label = "its error does not convert into `Box<dyn std::error::Error + Send + Sync>`",
    note = "implement `std::error::Error` for `{Self}`, or turn it into a `String` with `map_err`"
)]
pub trait HandlerError: Into<Box<dyn StdError + Send + Sync>> {}

#[diagnostic::do_not_recommend]
impl<E: Into<Box<dyn StdError + Send + Sync>>> HandlerError for E {}

/// What can be structured content.
///
/// You never implement it: it is what is `Serialize + JsonSchema`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be structured content",
    label = "what it holds is not `Serialize + JsonSchema`",
    note = "add `#[derive(serde::Serialize, schemars::JsonSchema)]` to `{Self}`"
)]
pub trait Structured: serde::Serialize + schemars::JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: serde::Serialize + schemars::JsonSchema> Structured for T {}

/// The protocol error inside a handler's error, else the text for the client.
///
/// A handler that asks for input by hand fails with what it asks for; the call's flow takes that over.
fn classify<E: Into<Box<dyn StdError + Send + Sync>>>(ctx: &Context, error: E) -> Result<String, Error> {
    let boxed: Box<dyn StdError + Send + Sync> = error.into();
    if let Some(wanted) = causes(&*boxed).find_map(InputRequired::of) {
        return Err(wanted.ask(ctx));
    }
    protocol_error(&*boxed).map_or_else(|| Ok(chain(&*boxed)), Err)
}

/// The protocol error that an error is, or that caused it.
pub(crate) fn protocol_error(error: &(dyn StdError + 'static)) -> Option<Error> {
    causes(error).find_map(Error::of)
}

/// Whether the error is a request for input, or was caused by one.
pub(crate) fn asks_for_input(error: &(dyn StdError + 'static)) -> bool {
    causes(error).any(|error| InputRequired::of(error).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Ouroboros;

    impl std::fmt::Display for Ouroboros {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("bitten")
        }
    }

    impl StdError for Ouroboros {
        fn source(&self) -> Option<&(dyn StdError + 'static)> {
            Some(&Ouroboros)
        }
    }

    #[test]
    fn an_error_that_causes_itself_is_told_to_an_end() {
        assert_eq!(chain(&Ouroboros), "bitten");
        assert!(causes(&Ouroboros).count() <= CAUSES);
    }
}
