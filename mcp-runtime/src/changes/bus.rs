//! What carries changes between the instances of a server.

use std::fmt;
use std::sync::Weak;

use super::{Change, Hub};

/// Carries changes to every instance of a server, so that a change on one reaches the clients of all.
///
/// It carries news and no things: that a list is another one, not what `ServerHandle::add_tool` or `disable` made of it;
/// each instance has to do that itself.
///
/// Without one, changes stay in their process, which is right for a server that has one.
///
/// ```
/// use std::sync::Mutex;
///
/// use mcp_runtime::{Bus, Change, Inbox, Server};
///
/// /// Instances in one process.
/// #[derive(Clone, Copy)]
/// struct Neighbours(&'static Mutex<Vec<Inbox>>);
///
/// impl Bus for Neighbours {
///     fn connect(&self, inbox: Inbox) {
///         self.0.lock().unwrap().push(inbox);
///     }
///
///     fn publish(&self, change: Change) {
///         self.0.lock().unwrap().iter().for_each(|inbox| inbox.deliver(change.clone()));
///     }
/// }
///
/// static NEIGHBOURS: Mutex<Vec<Inbox>> = Mutex::new(Vec::new());
/// let (one, other) = (Server::new().bus(Neighbours(&NEIGHBOURS)), Server::new().bus(Neighbours(&NEIGHBOURS)));
/// ```
pub trait Bus: Send + Sync + 'static {
    /// Called once, before the server serves: what other instances publish is to arrive in this inbox.
    fn connect(&self, inbox: Inbox);

    /// Tells every instance, this one included. Must not block: a carrier that is slow or away keeps what it was
    /// given, once for each change that is equal, or calls [`Inbox::deliver_all`] when it is back.
    fn publish(&self, change: Change);
}

/// Where a [`Bus`] delivers changes to the clients of one instance.
#[derive(Clone)]
pub struct Inbox(pub(super) Weak<Hub>);

impl Inbox {
    /// Tells the clients of this instance. Of no effect once the server is gone.
    pub fn deliver(&self, change: Change) {
        if let Some(hub) = self.0.upgrade() {
            hub.deliver(&change);
        }
    }

    /// Tells every client to look again at everything that it watches: for a carrier that may have lost changes.
    pub fn deliver_all(&self) {
        if let Some(hub) = self.0.upgrade() {
            hub.deliver_all();
        }
    }
}

impl fmt::Debug for Inbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inbox").finish_non_exhaustive()
    }
}

/// Brings every change back to where it came from.
#[cfg(test)]
#[derive(Default)]
pub(crate) struct Loopback(std::sync::OnceLock<Inbox>);

#[cfg(test)]
impl Bus for Loopback {
    fn connect(&self, inbox: Inbox) {
        let _ = self.0.set(inbox);
    }

    fn publish(&self, change: Change) {
        self.0.get().expect("it is connected").deliver(change);
    }
}
