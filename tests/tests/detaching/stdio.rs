//! On a pair of streams: a client that cancels, that is gone, that has said everything.

use std::time::Duration;

use mcp_runtime::Server;
use mcp_tests::request;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};

use super::{call, initialize, legacy_call, with_events};

fn cancel() -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } })
}

/// A client on a pair of streams.
struct Wire {
    input: tokio::io::DuplexStream,
    output: Option<tokio::io::DuplexStream>,
    serving: tokio::task::JoinHandle<mcp_runtime::Result<()>>,
}

impl Wire {
    fn new(server: Server) -> Self {
        let (input, reader) = tokio::io::duplex(64 * 1024);
        let (output, writer) = tokio::io::duplex(64 * 1024);
        let serving = tokio::spawn(server.serve_io(reader, writer));
        Self { input, output: Some(output), serving }
    }

    async fn send(&mut self, message: &Value) {
        self.input.write_all(format!("{message}\n").as_bytes()).await.expect("the server reads");
    }
}

/// The messages that start a call, of a client of each era.
fn eras(tool: &str) -> [Vec<Value>; 2] {
    [vec![call(tool)], vec![initialize(&json!({})), legacy_call(tool)]]
}

/// "stdio: The client MUST send a `notifications/cancelled`" to cancel, and that is heeded.
#[tokio::test]
async fn an_explicit_cancellation_cancels_it() {
    for messages in eras("detached") {
        let (server, events) = with_events();
        let mut wire = Wire::new(server);
        for message in messages {
            wire.send(&message).await;
        }
        events.wait_for("started").await;
        wire.send(&cancel()).await;
        events.wait_for("dropped").await;
        assert_eq!(events.all(), ["started", "dropped"]);
    }
}

/// A client on a pair of streams that does not read any more is gone.
#[tokio::test]
async fn a_client_that_is_gone_is_waited_out_for_the_grace() {
    for (tool, expected) in
        [("attended", &["started", "dropped"][..]), ("detached", &["started", "done", "dropped"])]
    {
        for messages in eras(tool) {
            let (server, events) = with_events();
            let mut wire = Wire::new(server.shutdown_grace(Duration::from_secs(60)));
            for message in messages {
                wire.send(&message).await;
            }
            events.wait_for("started").await;
            wire.output = None;
            // The next answer finds nobody.
            wire.send(&request(2, "tools/list", json!({}))).await;
            if tool == "detached" {
                // Long enough for the other calls to be cancelled.
                tokio::task::yield_now().await;
                assert!(!wire.serving.is_finished());
                events.release.notify_one();
            }
            wire.serving.await.expect("no panic").expect("it served");
            events.wait_for("dropped").await;
            assert_eq!(events.all(), expected, "{tool}");
        }
    }
}

/// What is in flight when the input ends is answered within the grace, and cancelled after it.
#[tokio::test(start_paused = true)]
async fn the_end_of_the_input_leaves_it_the_grace() {
    let (server, events) = with_events();
    let mut wire = Wire::new(server.shutdown_grace(Duration::from_secs(5)));
    wire.send(&call("detached")).await;
    events.wait_for("started").await;
    let started = tokio::time::Instant::now();
    drop(wire.input);
    wire.serving.await.expect("no panic").expect("it served");
    assert_eq!(started.elapsed(), Duration::from_secs(5));
    events.wait_for("dropped").await;
    assert_eq!(read(wire.output.expect("it is open")).await, "");
}

async fn read(mut output: impl AsyncRead + Unpin) -> String {
    let mut text = String::new();
    output.read_to_string(&mut text).await.expect("text");
    text
}
