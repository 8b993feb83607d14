//! Telling which files change.

use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll};

use mcp_runtime::Stream;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc::{self, Receiver};

use super::Roots;

/// The most changes that wait to be told; then the watching itself waits.
const WAITING: usize = 1024;

/// What changes, one after the other, until it is dropped.
pub struct Changes {
    // Dropped before the watcher, which may be waiting for room in here.
    changed: Receiver<String>,
    _watcher: RecommendedWatcher,
}

impl Roots {
    /// Watches the folders, and names each file that is written, made, removed or renamed; one that is renamed by its old
    /// name and by its new one.
    ///
    /// Every folder inside takes a moment, so this is nothing for a thread that serves requests.
    pub fn watch(&self, name: fn(&Path) -> String) -> notify::Result<Changes> {
        let (sender, changed) = mpsc::channel(WAITING);
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            let Ok(event) = event else { return };
            if matches!(event.kind, EventKind::Access(_)) {
                return;
            }
            for path in &event.paths {
                let _ = sender.blocking_send(name(path));
            }
        })?;
        for folder in self.folders() {
            watcher.watch(folder, RecursiveMode::Recursive)?;
        }
        Ok(Changes { changed, _watcher: watcher })
    }
}

impl Stream for Changes {
    type Item = String;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<String>> {
        self.changed.poll_recv(task)
    }
}
