//! Running a handler: inline, on the blocking pool or as a future; with its timeout, and its panics caught.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context as Task, Poll};
use std::time::{Duration, Instant};

use super::{Begun, Call, Outcome, Reply, suspend};
use crate::context::{Context, enter};
use crate::input::{Stage, inside};
use crate::output::ToolWriter;
use crate::protocol::Error;
use crate::registry::{BoxFuture, Handler, Target, Work};

/// Runs the call's handler.
pub(super) fn run(call: Call) -> Begun {
    let plan = call.plan();
    if let Some(silence) = plan.heartbeat {
        call.context().beat_every(silence);
    }
    call.context().flow().open(match plan.work {
        Work::Linked(Handler::Sync(_)) => Stage::Returning,
        Work::Linked(Handler::Async(_)) | Work::Added(_) if call.context().is_live() => Stage::Live,
        Work::Linked(Handler::Async(_)) | Work::Added(_) => Stage::Waiting,
    });
    match plan.work {
        Work::Linked(Handler::Sync(handler)) if !plan.blocks() => {
            let outcome = timed(&call, handler);
            let outcome = suspend::unless_asked_by_hand(&call, finish(&call, outcome));
            call.context().flow().close();
            Begun::Done(Reply::of(call.context(), outcome))
        }
        Work::Linked(Handler::Sync(handler)) => Begun::Waiting(Box::pin(run_blocking(call, handler))),
        Work::Linked(Handler::Async(_)) | Work::Added(_) => Begun::Waiting(Box::pin(run_async(call))),
    }
}

/// Runs a synchronous handler to its end, and notes how long it took.
fn timed(call: &Call, handler: fn(&Call) -> Outcome) -> Result<Outcome, Panic> {
    let started = Instant::now();
    let outcome = caught(call.context(), || handler(call));
    call.plan().took(started.elapsed());
    outcome
}

async fn run_blocking(call: Call, handler: fn(&Call) -> Outcome) -> Reply {
    let ctx = call.context().clone();
    let guard = ctx.cancel_on_drop();
    let (timeout, target, name) = (limit(&call), call.target(), call.plan().about.name.clone());
    let work = tokio::task::spawn_blocking(move || {
        let outcome = timed(&call, handler);
        suspend::unless_asked_by_hand(&call, finish(&call, outcome))
    });
    let outcome = match tokio::time::timeout(timeout, work).await {
        Ok(Ok(outcome)) => outcome,
        // The pool is shutting down with the process.
        Ok(Err(_)) => Err(Error::internal("The server is shutting down")),
        Err(_) => {
            ctx.cancel();
            timed_out(&ctx, target, &name, timeout)
        }
    };
    guard.disarm();
    ctx.flow().close();
    Reply::of(&ctx, outcome)
}

async fn run_async(call: Call) -> Reply {
    let ctx = call.context();
    let guard = ctx.cancel_on_drop();
    let timeout = limit(&call);
    let work = Caught { ctx, future: None, start: Some(|| started(&call)) };
    let work = UntilSuspended { call: &call, work };
    let outcome = if let Ok(outcome) = tokio::time::timeout(timeout, work).await {
        finish(&call, outcome)
    } else {
        ctx.cancel();
        timed_out(ctx, call.target(), &call.plan().about.name, timeout)
    };
    guard.disarm();
    ctx.flow().close();
    Reply::of(ctx, outcome)
}

/// The future of a handler that is not synchronous.
fn started(call: &Call) -> BoxFuture<'_, Outcome> {
    match &call.plan().work {
        Work::Linked(Handler::Async(handler)) => handler(call),
        Work::Linked(Handler::Sync(handler)) => Box::pin(std::future::ready(handler(call))),
        Work::Added(handler) => handler.handle(call),
    }
}

/// A handler's future until it ends, or waits for its client: then it is dropped, and the client is asked.
struct UntilSuspended<'call, F> {
    call: &'call Call,
    work: Caught<'call, F, Outcome>,
}

impl<'call, F: FnOnce() -> BoxFuture<'call, Outcome> + Unpin> Future for UntilSuspended<'call, F> {
    type Output = Result<Outcome, Panic>;

    fn poll(self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Self::Output> {
        let Self { call, work } = self.get_mut();
        match inside::handler(|| Pin::new(&mut *work).poll(task)) {
            Poll::Ready(outcome) => {
                Poll::Ready(outcome.map(|outcome| suspend::unless_asked_by_hand(call, outcome)))
            }
            Poll::Pending if call.context().flow().is_suspended(task.waker()) => {
                let outcome = suspend::input_required(call);
                // The next round runs the handler again: what this one spawned is to end.
                call.context().cancel();
                Poll::Ready(work.drop_future().map(|()| outcome))
            }
            Poll::Pending => Poll::Pending,
        }
    }
}

/// The longest that a call may take: the entry's own limit, else the server's.
fn limit(call: &Call) -> Duration {
    call.plan().timeout.unwrap_or(call.context().core().request_timeout())
}

/// A handler's future, with its panics caught.
struct Caught<'call, F, T> {
    ctx: &'call Context,
    start: Option<F>,
    future: Option<BoxFuture<'call, T>>,
}

impl<'call, T, F: FnOnce() -> BoxFuture<'call, T> + Unpin> Future for Caught<'call, F, T> {
    type Output = Result<T, Panic>;

    fn poll(self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let polled = caught(this.ctx, || {
            if let Some(start) = this.start.take() {
                this.future = Some(start());
            }
            match &mut this.future {
                Some(future) => future.as_mut().poll(task),
                None => Poll::Pending,
            }
        });
        match polled {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(outcome)) => Poll::Ready(this.drop_future().map(|()| outcome)),
            Err(panic) => {
                let _ = this.drop_future();
                Poll::Ready(Err(panic))
            }
        }
    }
}

impl<F, T> Caught<'_, F, T> {
    /// A future's drop may panic as well.
    fn drop_future(&mut self) -> Result<(), Panic> {
        let future = self.future.take();
        caught(self.ctx, || drop(future))
    }
}

impl<F, T> Drop for Caught<'_, F, T> {
    fn drop(&mut self) {
        if let Err(panic) = self.drop_future() {
            panic.log("a cancelled handler");
        }
    }
}

/// What a handler panicked with.
pub(crate) struct Panic(Option<Box<dyn Any + Send>>);

impl Panic {
    fn new(with: Box<dyn Any + Send>) -> Self {
        Self(Some(with))
    }

    /// Runs the author's code.
    pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Self> {
        catch_unwind(AssertUnwindSafe(work)).map_err(Self::new)
    }

    /// The place was printed by the panic hook; here the entry is named.
    pub(crate) fn log(&self, name: &str) {
        let with = self.0.as_ref();
        let text = with
            .and_then(|with| with.downcast_ref::<&str>().copied())
            .or_else(|| with.and_then(|with| with.downcast_ref::<String>()).map(String::as_str));
        tracing::error!("`{name}` panicked: {}", text.unwrap_or("with a value that is no text"));
    }
}

impl Drop for Panic {
    /// What it panicked with is the author's, too, and may panic once more; what that is of is not looked at.
    fn drop(&mut self) {
        let with = self.0.take();
        if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(with))) {
            std::mem::forget(again);
        }
    }
}

fn caught<T>(ctx: &Context, work: impl FnOnce() -> T) -> Result<T, Panic> {
    Panic::caught(|| enter(ctx, work))
}

/// "A panic is caught, logged with its location, and answered as an internal error without its text."
fn finish(call: &Call, outcome: Result<Outcome, Panic>) -> Outcome {
    outcome.unwrap_or_else(|panic| {
        panic.log(&call.plan().about.name);
        Err(Error::internal("Internal error"))
    })
}

/// The specification has no code for a timeout: a tool tells the model, anything else is `-32603`.
fn timed_out(ctx: &Context, target: Target, name: &str, after: Duration) -> Outcome {
    let text = format!("`{name}` did not finish within {after:?} and was cancelled");
    match target {
        Target::Tool(_) => {
            let mut out = ToolWriter::for_context(ctx);
            out.error(&text);
            Ok(out.finish())
        }
        _ => Err(Error::internal(text)),
    }
}

/// Runs a function of the author's that is no handler, with its panics caught.
pub(super) async fn guarded<'call, T>(
    ctx: &'call Context,
    name: &str,
    start: impl FnOnce() -> BoxFuture<'call, Result<T, Error>> + Unpin,
) -> Result<T, Error> {
    Caught { ctx, future: None, start: Some(start) }.await.unwrap_or_else(|panic| {
        panic.log(name);
        Err(Error::internal("Internal error"))
    })
}
