//! One dispatcher for every transport: a request in, an answer out.
//!
//! Nothing is spawned, locked or sent through a channel here. A request that needs no waiting is answered at
//! once ([`Begun::Done`]); any other becomes one future, which the transport polls and drops on cancellation.

mod admit;
mod call;
mod complete;
mod detached;
mod discover;
mod exchange;
mod heartbeat;
pub(crate) mod list;
mod listen;
mod prompts;
mod resources;
mod run;
mod suspend;
mod tools;

pub(crate) use admit::admit;
pub use call::Call;
pub(crate) use call::Given;
pub(crate) use detached::{Attended, Detached};
pub(crate) use exchange::{Event, Exchange};
pub(crate) use run::Panic;

use std::future::Future;
use std::pin::Pin;

use crate::context::Context;
use crate::output::{Answer, error_response};
use crate::protocol::{Error, Method};

/// What the glue around a user's function gives.
pub type Outcome = Result<Answer, Error>;

/// The answer to a request: the bytes of one JSON-RPC response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) bytes: Vec<u8>,
    /// The code of an error response.
    #[cfg_attr(not(feature = "http"), allow(dead_code, reason = "decides the HTTP status"))]
    pub(crate) error: Option<i32>,
    /// It asks for input, and the call is not at its end.
    pub(crate) is_suspended: bool,
}

impl Reply {
    pub(crate) fn error(id: Option<&str>, error: &Error) -> Self {
        Self { bytes: error_response(id, error), error: Some(error.code()), is_suspended: false }
    }

    /// An answer that is written already.
    pub(crate) fn answer(bytes: Vec<u8>) -> Self {
        Self { bytes, error: None, is_suspended: false }
    }

    fn of(ctx: &Context, outcome: Outcome) -> Self {
        // A protocol failure that the context raised wins over what the handler made of it.
        let outcome = match ctx.failure() {
            Some(failure) => Err(failure.clone()),
            None => outcome,
        };
        match outcome {
            Ok(answer) => {
                let is_suspended = answer.is_suspended;
                Self { bytes: answer.into_bytes(), error: None, is_suspended }
            }
            Err(error) => Self::error(Some(ctx.request_id()), &error),
        }
    }
}

/// A request that has been started.
pub(crate) enum Begun {
    /// It is answered.
    Done(Reply),
    /// It waits for something.
    Waiting(Pin<Box<dyn Future<Output = Reply> + Send>>),
    /// It is a stream of notifications.
    Listening(Box<listen::Listening>),
}

/// Starts a request that was admitted.
pub(crate) fn begin(ctx: &Context, method: Method) -> Begun {
    let begun = match method {
        Method::ToolsCall => tools::call(ctx),
        Method::ResourcesRead => resources::read(ctx),
        Method::PromptsGet => prompts::get(ctx),
        Method::Complete => complete::complete(ctx),
        Method::ResourcesList => list::resources(ctx),
        Method::ToolsList => list::prepared(ctx, list::Kind::Tools).map(Begun::Done),
        Method::ResourceTemplatesList => list::prepared(ctx, list::Kind::Templates).map(Begun::Done),
        Method::PromptsList => list::prepared(ctx, list::Kind::Prompts).map(Begun::Done),
        Method::Listen => listen::listen(ctx).map(Begun::Listening),
        Method::Discover => Ok(Begun::Done(discover::discover(ctx))),
    };
    begun.unwrap_or_else(|error| Begun::Done(Reply::error(Some(ctx.request_id()), &error)))
}
