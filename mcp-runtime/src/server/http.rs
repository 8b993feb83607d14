//! Serving over HTTP.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::task::Poll;

use tokio::net::{TcpListener, ToSocketAddrs};

use super::Server;
use crate::registry::StartError;
use crate::transport::http::{HttpService, serve};
use crate::transport::signal::{insist, termination};

/// Tells whoever starts the server, once: by `tracing`, or where nobody listens to that, on stderr.
fn note(text: &str) {
    if tracing::dispatcher::has_been_set() {
        tracing::warn!("{text}");
    } else {
        eprintln!("{text}");
    }
}

impl Server {
    /// Serves Streamable HTTP until SIGTERM or SIGINT; the endpoint is `/mcp`
    /// (basic/transports/streamable-http).
    ///
    /// ```no_run
    /// # async fn example() -> mcp_runtime::Result<()> {
    /// mcp_runtime::server!().serve_http("127.0.0.1:8080").await
    /// # }
    /// ```
    ///
    /// HTTP/1.1, and HTTP/2 with prior knowledge, without TLS. "When running locally, servers SHOULD bind
    /// only to localhost": what is meant to be reached from elsewhere listens on `0.0.0.0`, and names its
    /// host with [`allow_host`](Server::allow_host). When it listens, it writes
    /// `NAME listening on http://ADDRESS/mcp` to stderr; before that a note, where functions can ask or lists
    /// have pages and there are no [`seal_keys`](Server::seal_keys) to share with other instances. At the signal it takes no more connections, and what
    /// is in flight may go on for as long as [`shutdown_grace`](Server::shutdown_grace) says.
    ///
    /// # Errors
    ///
    /// A [`StartError`] with every fault of the server, before it listens; else that of listening.
    pub async fn serve_http(self, addr: impl ToSocketAddrs) -> crate::Result<()> {
        let (name, endpoint) = (self.display_name(), self.http.endpoint.clone());
        let options = self.http.clone();
        let core = self.build()?;
        let seals_for_itself = core.seals_for_itself();
        let service = HttpService::new(core, &options);
        let listener = listen(addr).await?;
        let local = listener.local_addr()?;
        // Whoever waits for the line may send the signal at once, so it is listened for before that.
        let mut stop = pin!(termination());
        if poll_fn(|task| Poll::Ready(stop.as_mut().poll(task).is_ready())).await {
            return Ok(());
        }
        if seals_for_itself {
            note(&format!(
                "{name} has no seal keys: what it gives clients to bring back (suspended calls, cursors) opens in \
                 this process only, not in another instance or after a restart; set MCP_SEAL_KEYS, for example to \
                 the output of `openssl rand -base64 32`"
            ));
        }
        let sse = options.sse_endpoint.as_ref().map(|sse| format!(", HTTP+SSE on http://{local}{sse}"));
        let line = format!("{name} listening on http://{local}{endpoint}{}", sse.unwrap_or_default());
        tracing::info!("{line}");
        eprintln!("{line}");
        let insistence = insist(service.grace());
        serve(listener, service, &endpoint, stop).await;
        drop(insistence);
        Ok(())
    }

    /// Serves connections of a listener until `shutdown` completes: for tests, for sockets that come from
    /// elsewhere, and beside other servers in one process.
    ///
    /// ```no_run
    /// # async fn example() -> mcp_runtime::Result<()> {
    /// let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    /// println!("http://{}/mcp", listener.local_addr()?);
    /// let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    /// let server = mcp_runtime::server!().serve_listener(listener, async { drop(stopped.await) });
    /// # drop(stop);
    /// server.await
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// A [`StartError`] with every fault of the server.
    pub async fn serve_listener(
        self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()>,
    ) -> crate::Result<()> {
        let endpoint = self.http.endpoint.clone();
        let service = self.into_service()?;
        serve(listener, service, &endpoint, shutdown).await;
        Ok(())
    }

    /// The server as a service that mounts in a router under any path.
    ///
    /// ```standalone_crate
    /// use axum::Router;
    ///
    /// # fn example() -> Result<(), mcp_runtime::StartError> {
    /// let service = mcp_runtime::server!().allow_host("api.example.com").into_service()?;
    /// let app: Router = Router::new().nest_service("/tools/mcp", service);
    /// # Ok(())
    /// # }
    /// # example().unwrap();
    /// ```
    ///
    /// # Errors
    ///
    /// Every fault of every entry, at once.
    pub fn into_service(self) -> Result<HttpService, StartError> {
        if self.given_seal_keys().is_none() {
            tracing::info!(
                "no seal keys are given, so what this process suspends no other one can take up: set `MCP_SEAL_KEYS` \
                 where there are several instances or restarts"
            );
        }
        let options = self.http.clone();
        Ok(HttpService::new(self.build()?, &options))
    }

    /// The path of the endpoint, on [`serve_http`](Server::serve_http) and
    /// [`serve_listener`](Server::serve_listener); `/mcp` by default. Every other path is `404`.
    pub fn endpoint(mut self, path: impl AsRef<str>) -> Self {
        self.http.set_endpoint(path.as_ref());
        self
    }

    /// Serves HTTP+SSE, the transport of revision 2024-11-05, at this path; it is off by default.
    ///
    /// It is deprecated, and for clients that have nothing newer: "New implementations SHOULD NOT adopt it". It must be
    /// another path than [`endpoint`](Server::endpoint), to which clients of all other revisions go. On a service that
    /// is [mounted](Server::into_service), it is the path as the service sees it: a router must lead there both this
    /// path and that of the endpoint.
    ///
    /// ```
    /// let server = mcp_runtime::Server::new().sse_endpoint("/sse");
    /// ```
    ///
    /// A GET opens a session, and everything that the client is told arrives there; the session ends with the
    /// connection. There can be as many as [`max_sessions`](Server::max_sessions) says, those of the other transport
    /// included.
    pub fn sse_endpoint(mut self, path: impl AsRef<str>) -> Self {
        self.http.set_sse_endpoint(path.as_ref());
        self
    }

    /// Allows requests to this host; call it again for another. The command line's `--allow-host` does the
    /// same.
    ///
    /// | pattern | what it allows |
    /// | --- | --- |
    /// | `api.example.com` | this host, at any port |
    /// | `api.example.com:8443` | this host, at this port only |
    /// | `*.example.com` | every host below `example.com`, at any depth |
    /// | `*` | every host, for a proxy in front that checks `Host` itself |
    ///
    /// ```
    /// let server = mcp_runtime::Server::new().allow_host("api.example.com").allow_host("*.internal");
    /// ```
    ///
    /// Always allowed are the names of the loopback (`localhost`, `127.0.0.0/8`, `[::1]`), and the very
    /// address that a connection came in at. Anything else is refused with `403`: a web page whose own name
    /// was made to point to this machine is told apart by that name alone (DNS rebinding). Pages of an
    /// allowed host may call, too; see [`allow_origin`](Server::allow_origin).
    pub fn allow_host(mut self, host: impl AsRef<str>) -> Self {
        self.http.allow_host(host.as_ref());
        self
    }

    /// Allows requests from the web pages of this origin, and lets them read the answers (CORS); call it
    /// again for another. `*` allows every origin.
    ///
    /// ```
    /// let server = mcp_runtime::Server::new().allow_origin("https://app.example.com");
    /// ```
    ///
    /// Always allowed are pages of the loopback and of the hosts of [`allow_host`](Server::allow_host), and
    /// requests without an `Origin`, which are none of a browser's; never `null`. "If the `Origin` header is
    /// present and invalid, servers MUST respond with HTTP 403 Forbidden." (Security & Endpoint)
    pub fn allow_origin(mut self, origin: impl AsRef<str>) -> Self {
        self.http.allow_origin(origin.as_ref());
        self
    }
}

/// Listens; the error says on what the server could not.
async fn listen(addr: impl ToSocketAddrs) -> io::Result<TcpListener> {
    let addresses: Vec<_> = tokio::net::lookup_host(addr)
        .await
        .map_err(|error| io::Error::new(error.kind(), format!("the address to listen on is none: {error}")))?
        .collect();
    TcpListener::bind(&*addresses).await.map_err(|error| {
        let shown = addresses.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let hint = match error.kind() {
            io::ErrorKind::AddrInUse => "; port 0 takes one that is free",
            _ => "",
        };
        io::Error::new(error.kind(), format!("the server cannot listen on {shown}: {error}{hint}"))
    })
}
