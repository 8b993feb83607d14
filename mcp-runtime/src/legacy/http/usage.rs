//! Uses of a session, which is not idle for as long as there is one.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::session::HttpSession;

/// A use of a session: by a request, by a call that runs, by a connection.
pub(super) struct Use(Arc<HttpSession>);

impl Use {
    pub(super) fn of(session: &Arc<HttpSession>) -> Self {
        session.users.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(session))
    }
}

impl Clone for Use {
    fn clone(&self) -> Self {
        Self::of(&self.0)
    }
}

impl Deref for Use {
    type Target = HttpSession;

    fn deref(&self) -> &HttpSession {
        &self.0
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        self.0.touch();
        self.0.users.fetch_sub(1, Ordering::AcqRel);
    }
}
