//! All sessions over HTTP, by their ids, and the end of those that are idle.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::session::{HttpSession, RETENTION};
use super::usage::Use;

/// The id of a session: 128 random bits, as 32 hexadecimal digits.
///
/// "The session ID SHOULD be globally unique and cryptographically secure" and "MUST only contain visible ASCII
/// characters" (2025-11-25, basic/transports, Session Management).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct SessionId(u128);

impl SessionId {
    pub(super) fn random() -> Self {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("the system gives random bytes");
        Self(u128::from_ne_bytes(bytes))
    }

    /// Reads one as it was written, and nothing that only means the same.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let is_digit = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte);
        if text.len() != 32 || !text.iter().all(is_digit) {
            return None;
        }
        u128::from_str_radix(std::str::from_utf8(text).ok()?, 16).ok().map(Self)
    }
}

impl std::fmt::Display for SessionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// The transport that a session was begun on, and stays on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transport {
    StreamableHttp,
    HttpSse,
}

/// All sessions of a server. Dropping it ends them.
pub(super) struct Sessions {
    limit: usize,
    idle: Duration,
    pub(super) epoch: Instant,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    all: HashMap<SessionId, Arc<HttpSession>>,
    sweeper: Option<JoinHandle<()>>,
}

/// There are as many sessions as there may be, and none of them is idle.
#[derive(Debug)]
pub(super) struct Full;

impl Sessions {
    pub(super) fn new(limit: usize, idle: Duration) -> Arc<Self> {
        Arc::new(Self { limit, idle, epoch: Instant::now(), table: Mutex::default() })
    }

    /// Adds a session, in place of the one that was idle for longest where there is no room.
    pub(super) fn add(self: &Arc<Self>, session: HttpSession) -> Result<(SessionId, Use), Full> {
        let session = Arc::new(session);
        let user = Use::of(&session);
        let id = SessionId::random();
        let evicted = {
            let mut table = self.lock();
            let evicted = if table.all.len() < self.limit { None } else { Some(table.evict().ok_or(Full)?) };
            table.all.insert(id, session);
            if table.sweeper.as_ref().is_none_or(JoinHandle::is_finished) {
                table.sweeper = Some(tokio::spawn(sweep(Arc::downgrade(self), self.idle)));
            }
            evicted
        };
        if let Some(evicted) = evicted {
            tracing::debug!("a session is ended to make room for another");
            evicted.end();
        }
        Ok((id, user))
    }

    /// A session for a request that names it; who sends it is to be compared with who began the session, here.
    pub(super) fn find(&self, id: SessionId, transport: Transport) -> Option<Use> {
        let mut table = self.lock();
        let session = table.all.get(&id)?;
        let its = if session.line().is_some() { Transport::HttpSse } else { Transport::StreamableHttp };
        if its != transport {
            return None;
        }
        if !self.is_expired(session) {
            return Some(Use::of(session));
        }
        let expired = table.all.remove(&id);
        drop(table);
        if let Some(expired) = expired {
            expired.end();
        }
        None
    }

    /// Ends a session.
    pub(super) fn end(&self, id: SessionId) {
        let session = self.lock().all.remove(&id);
        if let Some(session) = session {
            session.end();
        }
    }

    /// Ends a session whose client has gone away.
    pub(super) fn leave(&self, id: SessionId) {
        let session = self.lock().all.remove(&id);
        if let Some(session) = session {
            session.leave();
        }
    }

    /// Lets the streams of HTTP+SSE end with what is running: the server is going to stop.
    pub(super) fn close(&self) {
        let table = self.lock();
        for line in table.all.values().filter_map(|session| session.line()) {
            line.expect_less();
        }
    }

    /// Ends all sessions.
    pub(super) fn end_all(&self) {
        let Table { all, sweeper } = std::mem::take(&mut *self.lock());
        if let Some(sweeper) = sweeper {
            sweeper.abort();
        }
        for session in all.values() {
            session.end();
        }
    }

    fn is_expired(&self, session: &HttpSession) -> bool {
        let idle = session.idle_since().map(|since| self.epoch.elapsed().saturating_sub(millis(since)));
        idle.is_some_and(|idle| idle >= self.idle)
    }

    /// Ends sessions that expired; gives how long until one can, and nothing where there is none.
    fn sweep(&self) -> Option<Duration> {
        let (expired, first) = {
            let mut table = self.lock();
            let expired: Vec<_> = table.all.extract_if(|_, session| self.is_expired(session)).collect();
            if table.all.is_empty() {
                table.all.shrink_to_fit();
                table.sweeper = None;
            }
            let now = self.epoch.elapsed();
            let left = |session: &Arc<HttpSession>| {
                session.tidy();
                let since = session.idle_since().map_or(now, millis);
                (since + self.idle).saturating_sub(now)
            };
            (expired, table.all.values().map(left).min())
        };
        for (_, session) in expired {
            session.end();
        }
        first
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    /// Takes out the session that is idle for longest.
    fn evict(&mut self) -> Option<Arc<HttpSession>> {
        let idle = self.all.iter().filter_map(|(id, session)| Some((session.idle_since()?, *id)));
        let (_, id) = idle.min_by_key(|(since, _)| *since)?;
        self.all.remove(&id)
    }
}

impl Drop for Sessions {
    fn drop(&mut self) {
        self.end_all();
    }
}

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Ends sessions that expire, all with one task. Many that expire one after the other are ended together, so that one
/// can live for a sixteenth longer than it should.
async fn sweep(sessions: Weak<Sessions>, idle: Duration) {
    let grain = (idle / 16).max(Duration::from_millis(10));
    let mut pause = idle;
    loop {
        // Streams that ended are forgotten sooner.
        tokio::time::sleep(pause.min(RETENTION).max(grain)).await;
        let Some(sessions) = sessions.upgrade() else { return };
        match sessions.sweep() {
            Some(first) => pause = first,
            None => return,
        }
    }
}
