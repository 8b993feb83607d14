//! Serving over the standard streams and over any other pair of streams (basic/transports/stdio).

use std::future::pending;

use tokio::io::{AsyncRead, AsyncWrite};

use super::Server;
use crate::Result;
use crate::transport::stdio::{serve_io, serve_standard};

impl Server {
    /// Serves the client that has started this process, over stdin and stdout.
    ///
    /// It returns when the client closes stdin, when the client is gone, or at SIGTERM or SIGINT; requests that
    /// are in flight are answered within [`shutdown_grace`](Self::shutdown_grace) before, and cancelled after
    /// it. A second signal ends the grace.
    ///
    /// On Unix, stdout belongs to the protocol while it is served: what functions, C libraries and child
    /// processes print reaches stderr, and what they read is empty. On other systems what they print reaches
    /// the client and breaks the stream.
    ///
    /// ```no_run
    /// use mcp_runtime::Server;
    ///
    /// #[tokio::main]
    /// async fn main() -> mcp_runtime::Result<()> {
    ///     Server::new().name("quickstart").serve_stdio().await
    /// }
    /// ```
    ///
    /// A function that holds a thread and does not look at
    /// [`Context::is_cancelled`](crate::Context::is_cancelled) keeps a tokio runtime from being dropped;
    /// [`main!`](crate::main!) does not wait for it.
    ///
    /// # Errors
    ///
    /// A [`StartError`](crate::StartError), before anything is touched; an [`std::io::Error`] if the streams
    /// cannot be taken over.
    pub async fn serve_stdio(self) -> Result<()> {
        let core = self.build()?;
        serve_standard(core).await?;
        Ok(())
    }

    /// Serves one client over any reliable pair of byte streams: a Unix socket, a TCP connection, a pipe.
    ///
    /// The framing is that of stdio, one message a line; "custom transports built on such streams SHOULD reuse
    /// this framing" (basic/transports/stdio). It returns when the input ends or the client is gone, as
    /// [`serve_stdio`](Self::serve_stdio) does; signals and the process's own streams are left alone. Dropping
    /// the future cancels what is in flight.
    ///
    /// ```standalone_crate
    /// use mcp_runtime::Server;
    /// use tokio::io::{AsyncReadExt, AsyncWriteExt};
    ///
    /// # #[tokio::main]
    /// # async fn main() -> mcp_runtime::Result<()> {
    /// let (mut client, server) = tokio::io::duplex(4096);
    /// let (reader, writer) = tokio::io::split(server);
    /// let serving = tokio::spawn(Server::new().name("demo").serve_io(reader, writer));
    ///
    /// client.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n").await?;
    /// client.shutdown().await?;
    /// let mut answers = String::new();
    /// client.read_to_string(&mut answers).await?;
    /// assert_eq!(answers, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    /// serving.await?
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// A [`StartError`](crate::StartError), before anything is read. A client that is gone is none.
    pub async fn serve_io(self, reader: impl AsyncRead + Send, writer: impl AsyncWrite + Send) -> Result<()> {
        let core = self.build()?;
        serve_io(core, reader, writer, pending).await;
        Ok(())
    }
}
