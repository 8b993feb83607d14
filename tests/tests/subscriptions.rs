//! basic/patterns/subscriptions, as authors and clients have it.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Poll};

use mcp_runtime::prelude::*;
use mcp_runtime::testing::Client;
use mcp_runtime::{Bus, Change, Inbox, Server, Stream};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, duplex, split};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Carries changes between the servers of one test.
#[derive(Clone, Default)]
struct Wire(Arc<Mutex<Vec<Inbox>>>);

impl Bus for Wire {
    fn connect(&self, inbox: Inbox) {
        self.0.lock().unwrap().push(inbox);
    }

    fn publish(&self, change: Change) {
        self.0.lock().unwrap().iter().for_each(|inbox| inbox.deliver(change.clone()));
    }
}

mod board {
    use super::*;

    /// What is pinned to the board.
    #[resource("board://{name}")]
    fn pinned(name: String) -> String {
        name
    }

    /// Say what is pinned.
    #[tool]
    fn pin() {}
}

fn board(wire: &Wire) -> Server {
    Server::new().name("board").version("1").only(format!("{}::board", module_path!())).bus(wire.clone())
}

fn resource(uri: &str) -> Change {
    Change::Resource(uri.into())
}

#[tokio::test]
async fn a_client_is_told_of_what_it_asked_for_and_the_server_honours() {
    let wire = Wire::default();
    let client = Client::new(board(&wire)).unwrap();
    let honoured = json!({ "toolsListChanged": true, "resourceSubscriptions": ["board://a"] });
    for (more, value) in [
        ("promptsListChanged", json!(true)),
        ("resourceSubscriptions", json!(["board://a", "nobody://serves"])),
    ] {
        let mut asked = honoured.clone();
        asked[more] = value;
        let refused = client.listen(asked).await.err().unwrap();
        assert_eq!(refused.data().unwrap()["acknowledged"], honoured);
    }
    let mut changes = client.listen(honoured.clone()).await.unwrap();
    assert_eq!(*changes.acknowledged(), honoured);
    for change in
        [Change::Prompts, Change::Resources, resource("board://b"), resource("board://a"), Change::Tools]
    {
        wire.publish(change);
    }
    assert_eq!(changes.next().await, Some(Change::Tools));
    assert_eq!(changes.next().await, Some(resource("board://a")));
}

#[tokio::test]
async fn a_change_on_one_instance_reaches_the_clients_of_all() {
    let wire = Wire::default();
    let (one, other) = (Client::new(board(&wire)).unwrap(), Client::new(board(&wire)).unwrap());
    let asked = json!({ "resourceSubscriptions": ["board://a"] });
    let mut changes = [one.listen(asked.clone()).await.unwrap(), other.listen(asked).await.unwrap()];
    wire.publish(resource("board://a"));
    for changes in &mut changes {
        assert_eq!(changes.next().await, Some(resource("board://a")));
    }
}

#[tokio::test]
async fn what_a_handle_does_reaches_those_who_listen() {
    let server = Server::new().only(format!("{}::board", module_path!()));
    let handle = server.handle();
    let client = Client::new(server).unwrap();
    let asked = json!({ "toolsListChanged": true, "resourceSubscriptions": ["board://a"] });
    let mut changes = client.listen(asked.clone()).await.unwrap();
    assert_eq!(*changes.acknowledged(), asked);
    handle.resource_updated("board://a");
    assert_eq!(changes.next().await, Some(resource("board://a")));
    assert!(handle.disable("pin"));
    assert_eq!(changes.next().await, Some(Change::Tools));
}

/// "Notification types the server does not support are omitted."
#[tokio::test]
async fn a_server_without_means_to_change_honours_nothing() {
    let client = Client::new(Server::new().only(format!("{}::board", module_path!()))).unwrap();
    let asked = json!({ "toolsListChanged": true, "resourceSubscriptions": ["board://a"] });
    let refused = client.listen(asked).await.err().unwrap();
    assert_eq!(refused.data().unwrap()["acknowledged"], json!({}));
}

#[tokio::test]
async fn refusals_are_errors() {
    let client = Client::new(board(&Wire::default()).max_subscriptions(0)).unwrap();
    let error = client.listen(json!({ "toolsListChanged": 1 })).await.err().unwrap();
    assert_eq!(error.code(), -32602);
    assert_eq!(client.listen(json!({})).await.err().unwrap().code(), -32603);
}

/// The example of the page, word for word, over a pair of streams.
#[tokio::test]
async fn the_example_of_the_specification() {
    mod config {
        use mcp_runtime::prelude::*;

        #[resource("file:///project/config.json")]
        fn config() -> &'static str {
            "{}"
        }

        #[tool]
        fn configure() {}
    }

    let wire = Wire::default();
    let server = Server::new().name("example").version("1").only(module_path!().to_owned() + "::config");
    let (client, other_end) = duplex(64 * 1024);
    let (reader, writer) = split(other_end);
    let serving = tokio::spawn(server.bus(wire.clone()).serve_io(reader, writer));
    let (reader, mut writer) = split(client);
    let mut lines = BufReader::new(reader).lines();
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"ExampleClient","version":"1.0.0"},"io.modelcontextprotocol/clientCapabilities":{}},"notifications":{"toolsListChanged":true,"resourceSubscriptions":["file:///project/config.json"]}}}"#;
    writer.write_all(request.as_bytes()).await.unwrap();
    writer.write_all(b"\n").await.unwrap();
    let mut next = async || -> Value {
        let line = lines.next_line().await.unwrap().expect("the server writes a line");
        serde_json::from_str(&line).unwrap()
    };
    let acknowledged = json!({
        "jsonrpc": "2.0",
        "method": "notifications/subscriptions/acknowledged",
        "params": {
            "_meta": { "io.modelcontextprotocol/subscriptionId": 1 },
            "notifications": {
                "toolsListChanged": true,
                "resourceSubscriptions": ["file:///project/config.json"],
            },
        },
    });
    assert_eq!(next().await, acknowledged);
    wire.publish(resource("file:///project/config.json"));
    let updated = json!({
        "jsonrpc": "2.0",
        "method": "notifications/resources/updated",
        "params": {
            "_meta": { "io.modelcontextprotocol/subscriptionId": 1 },
            "uri": "file:///project/config.json",
        },
    });
    assert_eq!(next().await, updated);
    writer.shutdown().await.unwrap();
    let cancelled = next().await;
    assert_eq!(
        (&cancelled["method"], &cancelled["params"]["requestId"]),
        (&json!("notifications/cancelled"), &json!(1))
    );
    let mut result = next().await;
    let info = json!({ "name": "example", "version": "1" });
    let meta = result["result"]["_meta"].as_object_mut().unwrap();
    assert_eq!(meta.remove("io.modelcontextprotocol/serverInfo"), Some(info));
    let graceful = json!({
        "jsonrpc": "2.0",
        "id": 1,
        "result": { "resultType": "complete", "_meta": { "io.modelcontextprotocol/subscriptionId": 1 } },
    });
    assert_eq!(result, graceful);
    serving.await.unwrap().unwrap();
}

/// Resources that change by themselves: every form of a watching function.
mod watched {
    use super::*;

    /// Gives each item that comes, of any type.
    pub(super) struct Items<T>(UnboundedReceiver<T>);

    impl<T> Stream for Items<T> {
        type Item = T;

        fn poll_next(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Option<T>> {
            self.0.poll_recv(task)
        }
    }

    pub(super) fn items<T>(items: impl IntoIterator<Item = T>) -> (Items<T>, UnboundedSender<T>) {
        let (sender, receiver) = unbounded_channel();
        items.into_iter().for_each(|item| sender.send(item).ok().unwrap());
        (Items(receiver), sender)
    }

    /// Never ends: what could feed it is kept.
    fn endless<T>(given: impl IntoIterator<Item = T>) -> Items<T> {
        let (items, sender) = items(given);
        std::mem::forget(sender);
        items
    }

    pub(super) struct Start(pub(super) &'static str);

    fn plain() -> impl Stream<Item = ()> {
        endless([()])
    }

    #[resource("one://plain", watch = plain)]
    fn one_plain() -> &'static str {
        "one"
    }

    async fn awaited() -> impl Stream<Item = Result<(), std::io::Error>> {
        endless([Ok(())])
    }

    #[resource("one://awaited", watch = awaited)]
    fn one_awaited() -> &'static str {
        "one"
    }

    fn fallible() -> Result<impl Stream<Item = ()>> {
        let start: u8 = "1".parse()?;
        Ok(endless((0..start).map(|_| ())))
    }

    #[resource("one://fallible", watch = fallible)]
    fn one_fallible() -> &'static str {
        "one"
    }

    fn with_state(start: State<Start>) -> Items<String> {
        endless([start.0.to_owned()])
    }

    #[resource("state://{name}", watch = with_state)]
    fn many_with_state(name: String) -> String {
        name
    }

    async fn all_of_it(
        start: State<Start>,
    ) -> Result<Pin<Box<dyn Stream<Item = Result<&'static str>> + Send>>> {
        let address = if start.0.is_empty() { return Err("nothing".into()) } else { "all://a" };
        Ok(Box::pin(endless([Ok(address)])))
    }

    #[resource("all://{name}", watch = all_of_it)]
    fn many_all_of_it(name: String) -> String {
        name
    }
}

#[tokio::test]
async fn watching_functions_of_every_form() {
    let server =
        || Server::new().only(format!("{}::watched", module_path!())).state(watched::Start("state://a"));
    for uri in ["one://plain", "one://awaited", "one://fallible", "state://a", "all://a"] {
        let client = Client::new(server()).unwrap();
        let mut changes = client.listen(json!({ "resourceSubscriptions": [uri] })).await.unwrap();
        assert_eq!(changes.next().await, Some(resource(uri)));
    }
}
