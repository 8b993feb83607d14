//! What a thread is polling: requests from tasks that a handler spawned come from outside of it.

use std::cell::Cell;

thread_local! {
    static HANDLER: Cell<bool> = const { Cell::new(false) };
    static ONCE: Cell<bool> = const { Cell::new(false) };
}

/// Polls a handler's own future.
pub(crate) fn handler<T>(poll: impl FnOnce() -> T) -> T {
    within(&HANDLER, poll)
}

/// Polls a body of `once`.
pub(super) fn once<T>(poll: impl FnOnce() -> T) -> T {
    within(&ONCE, poll)
}

/// Whether a handler's own future is being polled.
pub(super) fn is_handler() -> bool {
    HANDLER.get()
}

/// Whether a body of `once` is being polled.
pub(super) fn is_once() -> bool {
    ONCE.get()
}

fn within<T>(place: &'static std::thread::LocalKey<Cell<bool>>, poll: impl FnOnce() -> T) -> T {
    struct Restore(&'static std::thread::LocalKey<Cell<bool>>, bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            self.0.set(self.1);
        }
    }
    let _restore = Restore(place, place.replace(true));
    poll()
}
