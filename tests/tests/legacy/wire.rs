//! A client that writes and reads lines.

use std::collections::VecDeque;
use std::time::Duration;

use mcp_runtime::Server;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, split};
use tokio::task::JoinHandle;

/// The longest that a line may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// A client on a pair of streams.
pub(crate) struct Wire {
    input: WriteHalf<DuplexStream>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
    /// What came while something else was awaited.
    early: VecDeque<Value>,
    serving: JoinHandle<mcp_runtime::Result<()>>,
}

impl Wire {
    /// Serves one client, who has said nothing yet.
    pub(crate) fn new(server: Server) -> Self {
        let (client, streams) = tokio::io::duplex(64 * 1024);
        let (reader, writer) = split(streams);
        let serving = tokio::spawn(server.serve_io(reader, writer));
        let (output, input) = split(client);
        Self { input, output: BufReader::new(output).lines(), early: VecDeque::new(), serving }
    }

    /// Serves one client, who has introduced itself.
    pub(crate) async fn open(server: Server, revision: &str, capabilities: Value) -> Self {
        let mut wire = Self::new(server);
        let result = wire.initialize(revision, capabilities).await;
        assert_eq!(result["protocolVersion"], revision);
        wire
    }

    /// Introduces itself.
    pub(crate) async fn initialize(&mut self, revision: &str, capabilities: Value) -> Value {
        let params = json!({
            "protocolVersion": revision,
            "capabilities": capabilities,
            "clientInfo": { "name": "ExampleClient", "version": "1.0.0" },
        });
        let mut answer = self.request(0, "initialize", params).await;
        self.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        answer["result"].take()
    }

    pub(crate) async fn send(&mut self, message: Value) {
        self.send_line(&message.to_string()).await;
    }

    pub(crate) async fn send_line(&mut self, line: &str) {
        self.input.write_all(format!("{line}\n").as_bytes()).await.expect("the server reads");
    }

    /// The next message.
    pub(crate) async fn next(&mut self) -> Value {
        if let Some(early) = self.early.pop_front() {
            return early;
        }
        self.read().await.expect("the server has not ended")
    }

    async fn read(&mut self) -> Option<Value> {
        let line =
            tokio::time::timeout(PATIENCE, self.output.next_line()).await.expect("a message comes in time");
        line.expect("the stream is whole").map(|line| serde_json::from_str(&line).expect("it is JSON"))
    }

    /// Sends a request, and gives its answer; what comes before it is kept.
    pub(crate) async fn request(&mut self, id: impl Into<Value>, method: &str, params: Value) -> Value {
        let id = id.into();
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
        loop {
            let message = self.read().await.expect("the server answers");
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.early.push_back(message);
        }
    }

    /// The result of a request.
    pub(crate) async fn result(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.request("r", method, params).await;
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].take()
    }

    /// The error of a request.
    pub(crate) async fn error(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.request("e", method, params).await;
        assert!(answer.get("result").is_none(), "{answer}");
        answer["error"].take()
    }

    /// Starts a call without waiting for its answer.
    pub(crate) async fn start(&mut self, id: u64, tool: &str, arguments: Value) {
        let params = json!({ "name": tool, "arguments": arguments });
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })).await;
    }

    /// Answers a question of the server's.
    pub(crate) async fn answer(&mut self, question: &Value, result: Value) {
        self.send(json!({ "jsonrpc": "2.0", "id": question["id"], "result": result })).await;
    }

    /// Closes the input, and gives what still comes.
    pub(crate) async fn close(mut self) -> Vec<Value> {
        self.input.shutdown().await.expect("the server reads");
        let mut rest: Vec<Value> = self.early.drain(..).collect();
        while let Some(message) = self.read().await {
            rest.push(message);
        }
        self.serving.await.expect("no panic").expect("it served");
        rest
    }
}
