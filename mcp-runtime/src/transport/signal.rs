//! The wish of the operating system, or of whoever sits at the terminal, that the process ends.

use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

/// How long after the grace the serving has to be over. It takes a moment to write what is left.
const MOMENT: Duration = Duration::from_secs(1);

/// As long as this lives, the process ends some time after it was told to, whatever its handlers do.
pub(crate) struct Insistence {
    _over: oneshot::Sender<()>,
}

/// Ends the process after the grace, should the serving be held up by handlers that do not give their threads back.
///
/// It has a thread and a runtime of its own, because no other may be left to hear of the signal.
pub(crate) fn insist(grace: Duration) -> Insistence {
    let (over, is_over) = oneshot::channel::<()>();
    let wait = async move {
        tokio::select! {
            _ = is_over => return,
            () = async {
                termination().await;
                tokio::time::sleep(grace + MOMENT).await;
            } => {}
        }
        tracing::warn!("a handler holds up the server; the process is ended in spite of it");
        std::process::exit(0);
    };
    let spawned = thread::Builder::new().name("mcp-signals".to_owned()).spawn(move || {
        if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() {
            runtime.block_on(wait);
        }
    });
    if let Err(error) = spawned {
        tracing::warn!("a handler that blocks may keep the process from ending: {error}");
    }
    Insistence { _over: over }
}

/// Completes at the first SIGTERM or SIGINT; on other systems at Ctrl-C.
pub(crate) async fn termination() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut terminate), Ok(mut interrupt)) =
            (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
        {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            return;
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        // Without signals there is nothing to wait for.
        std::future::pending::<()>().await;
    }
}
