//! The author's functions, as the runtime calls them: `fn` pointers of linked entries, closures of added ones.

use std::sync::Arc;

use super::{BoxFuture, CompleteFn, Handler, ListFn};
use crate::completion::{CompletionRequest, Completions};
use crate::context::Context;
use crate::dispatch::{Call, Outcome};
use crate::protocol::{Error, ResourceLink};

/// What answers a call.
#[derive(Clone)]
pub(crate) enum Work {
    /// The glue that a macro made.
    Linked(Handler),
    /// What was added at run time.
    Added(Arc<dyn Handle>),
}

/// A handler that was added at run time.
pub(crate) trait Handle: Send + Sync {
    fn handle<'call>(&'call self, call: &'call Call) -> BoxFuture<'call, Outcome>;
}

/// What completes the values of an argument.
#[derive(Clone)]
pub(crate) enum Completer {
    Linked(CompleteFn),
    Added(Arc<dyn Complete>),
}

/// A completing function that was added at run time.
pub(crate) trait Complete: Send + Sync {
    fn complete<'call>(
        &'call self,
        request: &'call CompletionRequest<'call>,
    ) -> BoxFuture<'call, Result<Completions, Error>>;
}

impl Completer {
    pub(crate) fn complete<'call>(
        &'call self,
        request: &'call CompletionRequest<'call>,
    ) -> BoxFuture<'call, Result<Completions, Error>> {
        match self {
            Self::Linked(complete) => complete(request),
            Self::Added(complete) => complete.complete(request),
        }
    }
}

/// What lists the resources of a template.
#[derive(Clone)]
pub(crate) enum Lister {
    Linked(ListFn),
    Added(Arc<dyn List>),
}

/// A listing function that was added at run time.
pub(crate) trait List: Send + Sync {
    fn list<'call>(&'call self, ctx: &'call Context) -> BoxFuture<'call, Result<Vec<ResourceLink>, Error>>;
}

impl Lister {
    pub(crate) fn list<'call>(
        &'call self,
        ctx: &'call Context,
    ) -> BoxFuture<'call, Result<Vec<ResourceLink>, Error>> {
        match self {
            Self::Linked(list) => list(ctx),
            Self::Added(list) => list.list(ctx),
        }
    }
}
