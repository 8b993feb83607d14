//! The server that is measured.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use mcp_runtime::prelude::*;
use mcp_runtime::{Bus, Change, Inbox, Server};

/// What idle streams are subscribed to.
pub(crate) const BOARD: &str = "bench://board";
/// What is updated again and again.
pub(crate) const COUNTER: &str = "bench://counter";

static UPDATES: AtomicU64 = AtomicU64::new(0);
static INBOX: Mutex<Option<Inbox>> = Mutex::new(None);

/// Lets the functions below tell of changes.
struct Direct;

impl Bus for Direct {
    fn connect(&self, inbox: Inbox) {
        *INBOX.lock().unwrap_or_else(PoisonError::into_inner) = Some(inbox);
    }

    fn publish(&self, change: Change) {
        if let Some(inbox) = &*INBOX.lock().unwrap_or_else(PoisonError::into_inner) {
            inbox.deliver(change);
        }
    }
}

/// A board that everybody watches.
#[resource("bench://board")]
fn board() -> &'static str {
    "nothing"
}

/// How many updates there were.
#[resource("bench://counter")]
fn counter() -> String {
    UPDATES.load(Ordering::Relaxed).to_string()
}

/// Update the board.
#[tool(inline)]
fn update_board() {
    Direct.publish(Change::Resource(BOARD.into()));
}

/// Update the counter so many times, with room for whoever is told of it in between.
#[tool]
async fn update_counter(times: u64) {
    for time in 0..times {
        UPDATES.fetch_add(1, Ordering::Relaxed);
        Direct.publish(Change::Resource(COUNTER.into()));
        if time % 16 == 0 {
            tokio::task::yield_now().await;
        }
    }
}

pub(crate) async fn serve() -> Result<()> {
    Server::new().name("ours").bus(Direct).max_subscriptions(100_000).serve_http("127.0.0.1:0").await
}
