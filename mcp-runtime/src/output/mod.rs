//! From what a function returns to what the client gets.

mod answer;
mod prompt;
mod resource;
mod tool;

pub use answer::Answer;
pub(crate) use answer::{ResultWriter, error_response, write};
pub use prompt::{PromptOutput, PromptWriter};
pub use resource::{ResourceOutput, ResourceWriter};
pub use tool::{Json, ToolOutput, ToolResult, ToolWriter};

use std::error::Error as StdError;
use std::fmt::Write as _;

use crate::Context;
use crate::input::InputRequired;
use crate::protocol::Error;

/// The text of an error with everything that caused it, outermost first.
pub(crate) fn chain(error: &(dyn StdError + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        // Some errors already print their cause.
        if !text.ends_with(&cause_text) {
            let _ = write!(text, ": {cause_text}");
        }
        source = cause.source();
    }
    text
}

/// The protocol error inside a handler's error, else the text for the client.
///
/// A handler that asks for input by hand fails with what it asks for; the call's flow takes that over.
fn classify<E: Into<Box<dyn StdError + Send + Sync>>>(ctx: &Context, error: E) -> Result<String, Error> {
    let boxed: Box<dyn StdError + Send + Sync> = error.into();
    let boxed = match boxed.downcast::<InputRequired>() {
        Ok(required) => return Err(required.ask(ctx)),
        Err(other) => other,
    };
    match boxed.downcast::<Error>() {
        Ok(protocol) => Err(*protocol),
        Err(other) => {
            let mut source: Option<&(dyn StdError + 'static)> = Some(&*other);
            while let Some(error) = source {
                if let Some(protocol) = error.downcast_ref::<Error>() {
                    return Err(protocol.clone());
                }
                source = error.source();
            }
            Ok(chain(&*other))
        }
    }
}
