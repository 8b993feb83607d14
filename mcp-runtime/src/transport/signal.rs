//! The wish of the operating system, or of whoever sits at the terminal, that the process ends.

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
