//! Clients that are no more than a socket.

use std::net::SocketAddr;
use std::time::Duration;

use mcp_runtime::Result;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

/// What tells of an update.
pub(crate) const UPDATE: &[u8] = b"notifications/resources/updated";
const ACKNOWLEDGED: &[u8] = b"notifications/subscriptions/acknowledged";

/// A stream of notifications.
pub(crate) struct Listening {
    stream: TcpStream,
    /// What came last and may be the beginning of what is looked for.
    tail: Vec<u8>,
}

/// Subscribes to one resource, and waits for the acknowledgement.
pub(crate) async fn listen(address: SocketAddr, uri: &str) -> Result<Listening> {
    subscribe(TcpStream::connect(address).await?, uri).await
}

/// The same for a client for which the system takes in next to nothing while it does not read.
pub(crate) async fn listen_sleepily(address: SocketAddr, uri: &str) -> Result<Listening> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(4096)?;
    subscribe(socket.connect(address).await?, uri).await
}

async fn subscribe(mut stream: TcpStream, uri: &str) -> Result<Listening> {
    let params = format!(r#""notifications":{{"resourceSubscriptions":["{uri}"]}}"#);
    let request = request("subscriptions/listen", "", &params, "");
    stream.write_all(request.as_bytes()).await?;
    let mut listening = Listening { stream, tail: Vec::new() };
    if listening.until(ACKNOWLEDGED, Duration::from_secs(10)).await? {
        Ok(listening)
    } else {
        Err(format!("no acknowledgement: {}", String::from_utf8_lossy(&listening.tail)).into())
    }
}

impl Listening {
    /// Reads until this was seen; whether it was, within this time.
    pub(crate) async fn until(&mut self, what: &[u8], within: Duration) -> Result<bool> {
        let deadline = tokio::time::Instant::now() + within;
        loop {
            let Ok(count) = tokio::time::timeout_at(deadline, self.read(what)).await else {
                return Ok(false);
            };
            if count? > 0 {
                return Ok(true);
            }
        }
    }

    /// Counts how often this comes, until it is silent for so long.
    pub(crate) async fn count(&mut self, what: &[u8], silence: Duration) -> Result<usize> {
        let mut seen = 0;
        while let Ok(count) = tokio::time::timeout(silence, self.read(what)).await {
            seen += count?;
        }
        Ok(seen)
    }

    /// How often it is in what comes next.
    async fn read(&mut self, what: &[u8]) -> Result<usize> {
        self.tail.reserve(16 * 1024);
        if self.stream.read_buf(&mut self.tail).await? == 0 {
            return Err("the stream ended".into());
        }
        let mut seen = 0;
        while let Some(at) = self.tail.windows(what.len()).position(|window| window == what) {
            seen += 1;
            self.tail.drain(..at + what.len());
        }
        self.tail.drain(..self.tail.len().saturating_sub(what.len()));
        // 5000 of them are to cost little here, too.
        self.tail.shrink_to_fit();
        Ok(seen)
    }
}

/// Calls a tool.
pub(crate) async fn post_tool(address: SocketAddr, name: &str, arguments: &str) -> Result<()> {
    let params = format!(r#""name":"{name}","arguments":{arguments}"#);
    post(address, &request("tools/call", name, &params, "Connection: close\r\n")).await?;
    Ok(())
}

/// Reads the counter.
pub(crate) async fn read_counter(address: SocketAddr) -> Result<u64> {
    let params = r#""uri":"bench://counter""#;
    let answer =
        post(address, &request("resources/read", "bench://counter", params, "Connection: close\r\n")).await?;
    let (_, value) = answer.split_once(r#""text":""#).ok_or_else(|| format!("no text: {answer}"))?;
    Ok(value.split('"').next().unwrap_or_default().parse()?)
}

async fn post(address: SocketAddr, request: &str) -> Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    if answer.starts_with("HTTP/1.1 200") { Ok(answer) } else { Err(answer.into()) }
}

fn request(method: &str, name: &str, params: &str, header: &str) -> String {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"streams","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}"#;
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{meta},{params}}}}}"#);
    let name = if name.is_empty() { String::new() } else { format!("Mcp-Name: {name}\r\n") };
    format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\n\
         {name}{header}\r\n{body}",
        body.len()
    )
}
