//! Results of prompts (server/prompts, Getting a Prompt).

use std::borrow::Cow;

use super::answer::{ResultWriter, write};
use super::{Answer, HandlerError, classify};
use crate::dispatch::{Call, Outcome};
use crate::protocol::{Content, Error, Message, PromptResult};

/// A type that a `#[prompt]` function can return.
///
/// | returned | what the client gets |
/// | --- | --- |
/// | `String`, `&str`, `Cow<str>`, [`Content`] | one message of the user |
/// | [`Message`], or a `Vec` or an array of them | these messages |
/// | [`PromptResult`] | messages with a description of their own |
/// | `Result<T, E>` | an internal error with the error's text for `Err` |
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a prompt",
    label = "not something that a prompt returns",
    note = "return a `String`, a `Message` or a `Vec<Message>`",
    note = "an error type of `Result` has to convert into `Box<dyn std::error::Error + Send + Sync>`"
)]
pub trait PromptOutput: Sized {
    /// Writes the messages.
    fn write(self, out: &mut PromptWriter<'_>) -> Result<(), Error>;

    /// Answers the call.
    #[doc(hidden)]
    fn respond(self, call: &Call) -> Outcome {
        let mut out = PromptWriter::new(call);
        self.write(&mut out)?;
        Ok(out.finish())
    }
}

/// Where a [`PromptOutput`] writes its messages.
pub struct PromptWriter<'a> {
    result: ResultWriter<'a>,
    description: Option<Cow<'a, str>>,
    empty: bool,
}

impl<'a> PromptWriter<'a> {
    fn new(call: &'a Call) -> Self {
        let mut result = ResultWriter::new(call.context());
        result.member("messages").push(b'[');
        Self { result, description: call.description().map(Cow::Borrowed), empty: true }
    }

    /// Adds a message.
    pub fn message(&mut self, message: &Message) {
        let out = self.result.buffer();
        if !std::mem::take(&mut self.empty) {
            out.push(b',');
        }
        write(out, message);
    }

    fn finish(mut self) -> Answer {
        self.result.buffer().push(b']');
        if let Some(description) = &self.description {
            write(self.result.member("description"), &**description);
        }
        self.result.finish(None)
    }
}

macro_rules! message_output {
    ($($type:ty),*) => {$(
        impl PromptOutput for $type {
            fn write(self, out: &mut PromptWriter<'_>) -> Result<(), Error> {
                out.message(&Message::user(self));
                Ok(())
            }
        }
    )*};
}

message_output!(String, &str, Cow<'_, str>, Content);

impl PromptOutput for Message {
    fn write(self, out: &mut PromptWriter<'_>) -> Result<(), Error> {
        out.message(&self);
        Ok(())
    }
}

impl PromptOutput for Vec<Message> {
    fn write(self, out: &mut PromptWriter<'_>) -> Result<(), Error> {
        for message in &self {
            out.message(message);
        }
        Ok(())
    }
}

impl<const N: usize> PromptOutput for [Message; N] {
    fn write(self, out: &mut PromptWriter<'_>) -> Result<(), Error> {
        for message in &self {
            out.message(message);
        }
        Ok(())
    }
}

impl PromptOutput for PromptResult {
    fn write(self, out: &mut PromptWriter<'_>) -> Result<(), Error> {
        if let Some(description) = self.description {
            out.description = Some(Cow::Owned(description));
        }
        self.messages.write(out)
    }
}

impl<T: PromptOutput, E: HandlerError> PromptOutput for Result<T, E> {
    fn write(self, out: &mut PromptWriter<'_>) -> Result<(), Error> {
        match self {
            Ok(value) => value.write(out),
            Err(error) => Err(Error::internal(classify(out.result.context(), error)?)),
        }
    }
}
