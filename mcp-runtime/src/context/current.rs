//! The call that a thread is working for, so that log events find their client.

use std::cell::RefCell;

use super::Context;

thread_local! {
    static CURRENT: RefCell<Option<Context>> = const { RefCell::new(None) };
}

/// Runs `work` for `ctx`. Costs nothing for a client that did not ask for log messages.
pub(crate) fn enter<T>(ctx: &Context, work: impl FnOnce() -> T) -> T {
    struct Restore(Option<Context>);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }
    if !ctx.is_logging() {
        return work();
    }
    let _restore = Restore(CURRENT.replace(Some(ctx.clone())));
    work()
}

/// The call that this thread is working for.
pub(crate) fn current() -> Option<Context> {
    CURRENT.try_with(|current| current.borrow().clone()).ok().flatten()
}
