//! Running a handler: inline, on the blocking pool or as a future; with its timeout, and its panics caught.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context as Task, Poll};
use std::time::{Duration, Instant};

use super::{Begun, Call, Outcome, Reply, suspend};
use crate::context::{Context, enter};
use crate::output::ToolWriter;
use crate::protocol::Error;
use crate::registry::{BoxFuture, Handler, Target};

/// A synchronous function that holds its thread for longer runs on the blocking pool from then on.
const SLOW: Duration = Duration::from_millis(1);

/// Runs the call's handler.
pub(super) fn run(call: Call) -> Begun {
    let plan = call.plan();
    match plan.run.handler {
        Handler::Sync(handler) if !plan.blocks() => {
            let started = Instant::now();
            let outcome = caught(call.context(), || handler(&call));
            if started.elapsed() > SLOW {
                plan.was_slow();
            }
            let outcome = finish(&call, outcome);
            Begun::Done(Reply::of(call.context(), unless_suspended(&call, outcome)))
        }
        Handler::Sync(handler) => Begun::Waiting(Box::pin(run_blocking(call, handler))),
        Handler::Async(handler) => Begun::Waiting(Box::pin(run_async(call, handler))),
    }
}

async fn run_blocking(call: Call, handler: fn(&Call) -> Outcome) -> Reply {
    let ctx = call.context().clone();
    let guard = ctx.cancel_on_drop();
    let (timeout, target, name) = (limit(&call), call.target(), call.plan().about.name);
    let work = tokio::task::spawn_blocking(move || {
        let outcome = caught(call.context(), || handler(&call));
        let outcome = finish(&call, outcome);
        unless_suspended(&call, outcome)
    });
    let outcome = match tokio::time::timeout(timeout, work).await {
        Ok(Ok(outcome)) => outcome,
        // The pool is shutting down with the process.
        Ok(Err(_)) => Err(Error::internal("The server is shutting down")),
        Err(_) => {
            ctx.cancel();
            timed_out(&ctx, target, name, timeout)
        }
    };
    guard.disarm();
    Reply::of(&ctx, outcome)
}

async fn run_async(call: Call, handler: for<'call> fn(&'call Call) -> BoxFuture<'call, Outcome>) -> Reply {
    let ctx = call.context();
    let guard = ctx.cancel_on_drop();
    let timeout = limit(&call);
    let work = Caught { call: &call, future: None, start: Some(|| handler(&call)) };
    let outcome = match tokio::time::timeout(timeout, work).await {
        Ok(Ok(Ended::Finished(outcome))) => unless_suspended(&call, outcome),
        Ok(Ok(Ended::Suspended(outcome))) => outcome,
        Ok(Err(panic)) => finish(&call, Err(panic)),
        Err(_) => {
            ctx.cancel();
            timed_out(ctx, call.target(), call.plan().about.name, timeout)
        }
    };
    guard.disarm();
    ctx.flow().close();
    Reply::of(ctx, outcome)
}

/// How a run of a handler ends.
enum Ended {
    /// It returned.
    Finished(Outcome),
    /// It waits for its client, and was dropped.
    Suspended(Outcome),
}

/// A handler that asks for input by hand returns as well.
fn unless_suspended(call: &Call, outcome: Outcome) -> Outcome {
    if call.context().flow().is_suspended() { suspend::input_required(call) } else { outcome }
}

/// The longest that a call may take: the entry's own limit, else the server's.
fn limit(call: &Call) -> Duration {
    call.plan().run.timeout.unwrap_or(call.context().core().request_timeout())
}

/// A handler's future, with its panics caught, until it ends or waits for its client.
struct Caught<'call, F> {
    call: &'call Call,
    start: Option<F>,
    future: Option<BoxFuture<'call, Outcome>>,
}

impl<'call, F: FnOnce() -> BoxFuture<'call, Outcome> + Unpin> Future for Caught<'call, F> {
    type Output = Result<Ended, Panic>;

    fn poll(self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let ctx = this.call.context();
        let polled = caught(ctx, || {
            if let Some(start) = this.start.take() {
                this.future = Some(start());
            }
            match &mut this.future {
                Some(future) => future.as_mut().poll(task),
                None => Poll::Pending,
            }
        });
        match polled {
            Ok(Poll::Pending) if ctx.flow().is_suspended() => {
                let outcome = suspend::input_required(this.call);
                Poll::Ready(this.drop_future().map(|()| Ended::Suspended(outcome)))
            }
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(outcome)) => Poll::Ready(this.drop_future().map(|()| Ended::Finished(outcome))),
            Err(panic) => {
                let _ = this.drop_future();
                Poll::Ready(Err(panic))
            }
        }
    }
}

impl<F> Caught<'_, F> {
    /// A future's drop may panic as well.
    fn drop_future(&mut self) -> Result<(), Panic> {
        let future = self.future.take();
        caught(self.call.context(), || drop(future))
    }
}

impl<F> Drop for Caught<'_, F> {
    fn drop(&mut self) {
        if let Err(panic) = self.drop_future() {
            panic.log("a cancelled handler");
        }
    }
}

/// What a handler panicked with.
struct Panic(Box<dyn Any + Send>);

impl Panic {
    /// The place was printed by the panic hook; here the entry is named.
    fn log(&self, name: &str) {
        let text = self
            .0
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| self.0.downcast_ref::<String>().map(String::as_str));
        tracing::error!("`{name}` panicked: {}", text.unwrap_or("with a value that is no text"));
    }
}

fn caught<T>(ctx: &Context, work: impl FnOnce() -> T) -> Result<T, Panic> {
    catch_unwind(AssertUnwindSafe(|| enter(ctx, work))).map_err(Panic)
}

/// "A panic is caught, logged with its location, and answered as an internal error without its text."
fn finish(call: &Call, outcome: Result<Outcome, Panic>) -> Outcome {
    outcome.unwrap_or_else(|panic| {
        panic.log(call.plan().about.name);
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
    start: impl FnOnce() -> BoxFuture<'call, Result<T, Error>>,
) -> Result<T, Error> {
    let internal = |panic: Panic| {
        panic.log(name);
        Error::internal("Internal error")
    };
    let mut future = caught(ctx, start).map_err(internal)?;
    std::future::poll_fn(|task| match caught(ctx, || future.as_mut().poll(task)) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(result)) => Poll::Ready(result),
        Err(panic) => Poll::Ready(Err(internal(panic))),
    })
    .await
}
