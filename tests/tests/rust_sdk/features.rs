//! Each feature of both eras, used by the SDK's client on `everything` and `trip`.

#![expect(deprecated, reason = "what only the older revisions have is deprecated there")]

use std::collections::VecDeque;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientConfig, ClientRequest, CompletionContext,
    CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams, ElicitResult,
    GetPromptRequestParams, JsonObject, ListRootsResult, LoggingMessageNotificationParam, PingRequest,
    ProgressNotificationParam, ProtocolVersion, ReadResourceRequestParams, RequestMetaObject,
    ResourceUpdatedNotificationParam, ServerNotification, SubscriptionFilter,
};
use rmcp::service::{NotificationContext, RequestContext, RunningService, ServiceError};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, ErrorData, RoleClient};
use serde_json::{Value, json};
use tokio::process::{Child, Command};

use crate::{BOUND, address, binary, folder};

/// One client at a time changes a list that all of them share.
static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

const WATCHED: &str = "test://watched-resource";

/// Whoever is behind the client: answers what the server asks, and keeps what it says.
#[derive(Clone, Default)]
struct Person(Arc<Mutex<Heard>>);

#[derive(Default)]
struct Heard {
    answers: VecDeque<Value>,
    asked: Vec<ElicitRequestParams>,
    steps: Vec<(f64, Option<f64>)>,
    logged: Vec<Value>,
    updated: Vec<String>,
    changed: usize,
}

impl Person {
    fn heard(&self) -> std::sync::MutexGuard<'_, Heard> {
        self.0.lock().expect("nobody panics while they hold it")
    }

    fn will_answer(&self, answers: impl IntoIterator<Item = Value>) {
        let mut heard = self.heard();
        heard.answers = answers.into_iter().collect();
        heard.asked.clear();
    }

    /// Waits for what a notification brings about.
    async fn until(&self, what: &str, holds: impl Fn(&Heard) -> bool) {
        let wait = async {
            while !holds(&self.heard()) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), wait)
            .await
            .unwrap_or_else(|_| panic!("no {what} came"));
    }
}

fn from_json<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("it is of this type")
}

impl ClientHandler for Person {
    async fn create_elicitation(
        &self,
        params: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let mut heard = self.heard();
        heard.asked.push(params);
        Ok(from_json(heard.answers.pop_front().unwrap_or_else(|| json!({ "action": "cancel" }))))
    }

    async fn create_message(
        &self,
        _: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        Ok(from_json(json!({
            "role": "assistant", "content": { "type": "text", "text": "Paris, I think." }, "model": "a-model"
        })))
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        Ok(from_json(json!({ "roots": [{ "uri": "file:///home/ada/project" }] })))
    }

    async fn on_progress(&self, params: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.heard().steps.push((params.progress, params.total));
    }

    async fn on_logging_message(
        &self,
        params: LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.heard().logged.push(params.data);
    }

    async fn on_resource_updated(
        &self,
        params: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.heard().updated.push(params.uri);
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.heard().changed += 1;
    }

    fn get_info(&self) -> ClientConfig {
        from_json(json!({
            "protocolVersion": ProtocolVersion::V_2025_11_25,
            "capabilities": {
                "elicitation": { "form": {}, "url": {} }, "sampling": {}, "roots": { "listChanged": true }
            },
            "clientInfo": { "name": "rmcp", "version": "3" }
        }))
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Era {
    /// `initialize`, and 2025-11-25.
    Legacy,
    /// `server/discover`, and 2026-07-28.
    Modern,
}

impl Era {
    fn lifecycle(self) -> ClientLifecycleMode {
        match self {
            Self::Legacy => ClientLifecycleMode::Initialize,
            Self::Modern => {
                ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
            }
        }
    }
}

/// A client of `everything` or `trip`, and the person behind it.
struct Session {
    era: Era,
    client: RunningService<RoleClient, Person>,
    person: Person,
}

impl Session {
    async fn over_stdio(era: Era, server: &str, folder: &Path) -> Self {
        let mut command = Command::new(binary(server));
        command.current_dir(folder).kill_on_drop(true);
        let transport = TokioChildProcess::new(command).expect("the server starts");
        let person = Person::default();
        let client = person.clone().serve_with_lifecycle(transport, era.lifecycle()).await;
        Self { era, client: client.expect("the client connects"), person }
    }

    async fn over_http(era: Era, address: &str) -> Self {
        let transport = StreamableHttpClientTransport::from_uri(address.to_owned());
        let person = Person::default();
        let client = person.clone().serve_with_lifecycle(transport, era.lifecycle()).await;
        Self { era, client: client.expect("the client connects"), person }
    }

    async fn end(self) {
        self.client.cancel().await.expect("the client ends");
    }

    async fn result(&self, name: &'static str, arguments: Value) -> Result<CallToolResult, ServiceError> {
        self.client.call_tool(request(name, arguments)).await
    }

    /// The text of a call that does not fail.
    async fn call(&self, name: &'static str, arguments: Value) -> String {
        let result =
            self.result(name, arguments).await.unwrap_or_else(|error| panic!("calling `{name}`: {error}"));
        assert_ne!(result.is_error, Some(true), "`{name}` failed: {result:?}");
        text(&result)
    }

    async fn use_all(&self) {
        self.look_at_the_server().await;
        self.call_and_read().await;
        self.complete().await;
        self.hear_of_progress().await;
        self.log().await;
        self.cancel_a_call().await;
        self.be_asked().await;
        self.hear_of_an_update().await;
        self.hear_of_a_changed_list().await;
    }

    async fn look_at_the_server(&self) {
        let info = self.client.peer_info().expect("the server was looked at");
        let version = match self.era {
            Era::Legacy => ProtocolVersion::V_2025_11_25,
            Era::Modern => ProtocolVersion::V_2026_07_28,
        };
        assert_eq!(info.protocol_version, version);
        let info = serde_json::to_value(&*info).expect("it serializes");
        assert_eq!(info["serverInfo"]["title"], "Everything", "{info}");
        assert_eq!(info["capabilities"]["resources"]["subscribe"], true, "{info}");
        assert_eq!(info["capabilities"]["tools"]["listChanged"], true, "{info}");
        if self.era == Era::Legacy {
            let ping = ClientRequest::PingRequest(PingRequest::default());
            self.client.send_request(ping).await.expect("a ping is answered");
        }
    }

    async fn call_and_read(&self) {
        assert_eq!(
            self.call("test_simple_text", json!({})).await,
            "This is a simple text response for testing."
        );
        let structured = self.result("result_structured", json!({})).await.expect("it is answered");
        let value = json!({ "name": "temperature", "value": 21.5, "unit": "°C" });
        assert_eq!(structured.structured_content, Some(value));
        let failed = self.result("test_error_handling", json!({})).await.expect("it is answered");
        assert_eq!(failed.is_error, Some(true));
        assert_eq!(code(self.result("no_such_tool", json!({})).await), -32602);
        let read = async |uri: &str| self.client.read_resource(ReadResourceRequestParams::new(uri)).await;
        let binary = read("test://static-binary").await.expect("it is there");
        let binary = serde_json::to_value(binary).expect("it serializes");
        assert_eq!(binary["contents"][0]["mimeType"], "image/png");
        let missing = if self.era == Era::Legacy { -32002 } else { -32602 };
        assert_eq!(code(read("test://no-such-resource").await), missing);
        let arguments = json!({ "arg1": "one", "arg2": "two" });
        let arguments = arguments.as_object().expect("it is one").clone();
        let prompt = GetPromptRequestParams::new("test_prompt_with_arguments").with_arguments(arguments);
        let prompt = serde_json::to_value(self.client.get_prompt(prompt).await.expect("it is there"));
        assert_eq!(
            prompt.expect("it serializes")["messages"][0]["content"]["text"],
            "Prompt with arguments: arg1='one', arg2='two'"
        );
    }

    async fn complete(&self) {
        let context: CompletionContext = from_json(json!({ "arguments": { "country": "norway" } }));
        let place = "demo://places/{country}/{city}";
        let cities = self.client.complete_resource_argument(place, "city", "", Some(context)).await;
        assert_eq!(cities.expect("it is answered").values, ["bergen", "oslo", "tromso"]);
        let prompt = "test_prompt_with_arguments";
        let values = self.client.complete_prompt_argument(prompt, "arg1", "test", None).await;
        assert_eq!(values.expect("it is answered").values, ["testValue1", "testValue2"]);
    }

    async fn hear_of_progress(&self) {
        self.person.heard().steps.clear();
        self.call("test_tool_with_progress", json!({})).await;
        self.person.until("last step", |heard| heard.steps.len() >= 3).await;
        let steps = [(0.0, Some(100.0)), (50.0, Some(100.0)), (100.0, Some(100.0))];
        assert_eq!(self.person.heard().steps, steps);
    }

    async fn log(&self) {
        for (level, count) in [("warning", 0), ("info", 3)] {
            self.person.heard().logged.clear();
            let mut call = request("test_tool_with_logging", json!({}));
            if self.era == Era::Legacy {
                let level = from_json(json!({ "level": level }));
                self.client.set_level(level).await.expect("the level is taken");
            } else {
                let mut meta = RequestMetaObject::default();
                meta.set_log_level(from_json(json!(level)));
                call.meta = Some(meta);
            }
            self.client.call_tool(call).await.expect("it is answered");
            self.person.until("log message", |heard| heard.logged.len() >= count).await;
            let logged: Vec<Value> = std::mem::take(&mut self.person.heard().logged);
            assert_eq!(logged.len(), count, "{logged:?}");
        }
    }

    async fn cancel_a_call(&self) {
        let count = async || -> u64 { self.call("run_given_up", json!({})).await.parse().expect("a number") };
        let before = count().await;
        self.person.heard().steps.clear();
        let slow = self.result("run_slowly", json!({ "seconds": 300 }));
        tokio::select! {
            result = slow => panic!("it ended: {result:?}"),
            // Dropped, it is cancelled.
            () = self.person.until("first step", |heard| !heard.steps.is_empty()) => {}
        }
        while count().await <= before {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn be_asked(&self) {
        let message = json!({ "message": "Who are you?" });
        for (answer, contains) in [
            (accept(json!({ "username": "ada", "email": "ada@example.com" })), "ada@example.com"),
            (json!({ "action": "decline" }), "action=decline"),
            (json!({ "action": "cancel" }), "action=cancel"),
        ] {
            self.person.will_answer([answer]);
            let text = self.call("test_elicitation", message.clone()).await;
            assert!(text.contains(contains), "{text}");
        }
        self.person.will_answer([json!({ "action": "accept" })]);
        assert_eq!(self.call("ask_for_page", json!({})).await, "the page was opened");
        assert!(matches!(self.person.heard().asked[..], [ElicitRequestParams::UrlElicitationParams { .. }]));
        let sampled = self.call("test_sampling", json!({ "prompt": "What is the capital of France?" })).await;
        assert_eq!(sampled, "LLM response: Paris, I think.");
        let roots = self.call("test_input_required_result_list_roots", json!({})).await;
        assert_eq!(roots, "file:///home/ada/project");
        self.person.will_answer([accept(json!({ "name": "Ada" }))]);
        let all = self.call("test_input_required_result_multiple_inputs", json!({})).await;
        assert_eq!(all, "Ada: Paris, I think. You work in 1 folder(s).");
        self.person.will_answer([accept(json!({ "name": "Ada" })), accept(json!({ "color": "blue" }))]);
        assert_eq!(self.call("test_input_required_result_multi_round", json!({})).await, "Ada likes blue.");
    }

    async fn hear_of_an_update(&self) {
        if self.era == Era::Legacy {
            self.client
                .subscribe(from_json(json!({ "uri": WATCHED })))
                .await
                .expect("it can be subscribed to");
            self.call("update_watched_resource", json!({})).await;
            self.person.until("update", |heard| heard.updated == [WATCHED]).await;
            self.client
                .unsubscribe(from_json(json!({ "uri": WATCHED })))
                .await
                .expect("it was subscribed to");
        } else {
            let filter = SubscriptionFilter::builder().resource_subscriptions([WATCHED]).build();
            let mut subscription = self.client.listen(filter).await.expect("it can be listened to");
            self.call("update_watched_resource", json!({})).await;
            let told = subscription.next().await.expect("the stream is whole");
            assert!(
                matches!(told, Some(ServerNotification::ResourceUpdatedNotification(told)) if told.params.uri == WATCHED)
            );
            subscription.cancel().await.expect("it is open");
        }
    }

    async fn hear_of_a_changed_list(&self) {
        let _turn = TURN.lock().await;
        let mut subscription = match self.era {
            Era::Legacy => None,
            Era::Modern => {
                let filter = SubscriptionFilter::builder().tools_list_changed().build();
                Some(self.client.listen(filter).await.expect("it can be listened to"))
            }
        };
        for on in [false, true] {
            let before = self.person.heard().changed;
            self.call("toggle_extra_tool", json!({ "on": on })).await;
            match &mut subscription {
                None => self.person.until("change", |heard| heard.changed > before).await,
                Some(subscription) => {
                    let told = subscription.next().await.expect("the stream is whole");
                    assert!(
                        matches!(told, Some(ServerNotification::ToolListChangedNotification(_))),
                        "{told:?}"
                    );
                }
            }
            let tools = self.client.list_all_tools().await.expect("the tools are listed");
            assert_eq!(tools.iter().any(|tool| tool.name == "extra_tool"), on);
        }
    }

    async fn book_a_trip(&self) {
        let right = json!({ "from": "2026-08-01", "until": "2026-08-09" });
        self.person.will_answer([
            accept(json!({ "from": "2026-08-09", "until": "2026-08-01" })),
            accept(right.clone()),
            accept(json!({ "seat": "window" })),
            json!({ "action": "accept" }),
        ]);
        let booked = self.call("book_trip", json!({ "destination": "Oslo" })).await;
        assert_eq!(
            booked,
            "Held until the payment arrives: booking 1, Oslo from 2026-08-01 until 2026-08-09, at the window."
        );
        self.person.will_answer([accept(right), json!({ "action": "decline" })]);
        assert_eq!(self.call("book_trip", json!({ "destination": "Bergen" })).await, "Nothing was booked.");
        let bookings = self.client.read_resource(ReadResourceRequestParams::new("trip://bookings")).await;
        let bookings = serde_json::to_value(bookings.expect("it is there")).expect("it serializes");
        let bookings: Value =
            serde_json::from_str(bookings["contents"][0]["text"].as_str().expect("it is text"))
                .expect("it is JSON");
        assert_eq!(bookings.as_array().map(Vec::len), Some(1), "{bookings}");
    }
}

fn request(name: &'static str, arguments: Value) -> CallToolRequestParams {
    let arguments: JsonObject = from_json(arguments);
    CallToolRequestParams::new(name).with_arguments(arguments)
}

fn text(result: &CallToolResult) -> String {
    let result = serde_json::to_value(result).expect("it serializes");
    result["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

/// The code of the error that had to come.
fn code<T: std::fmt::Debug>(result: Result<T, ServiceError>) -> i32 {
    match result {
        Err(ServiceError::McpError(error)) => error.code.0,
        other => panic!("no error of the server, but {other:?}"),
    }
}

/// The server's process, and where it listens.
async fn serve(server: &str, folder: &Path) -> (Child, String) {
    let mut command = Command::new(binary(server));
    command.args(["--http", "127.0.0.1:0"]).current_dir(folder).stderr(Stdio::piped()).kill_on_drop(true);
    let mut server = command.spawn().expect("the server starts");
    let address = address(&mut server).await;
    (server, address)
}

async fn bounded(test: impl Future<Output = ()>) {
    // Boxed, since all that a session does is in it.
    tokio::time::timeout(BOUND, Box::pin(test)).await.expect("the server answers in time");
}

async fn everything_over_stdio(era: Era, name: &str) {
    bounded(async {
        let session = Session::over_stdio(era, "everything", &folder(name)).await;
        session.use_all().await;
        session.end().await;
    })
    .await;
}

async fn trip_over_stdio(era: Era, name: &str) {
    bounded(async {
        let session = Session::over_stdio(era, "trip", &folder(name)).await;
        session.book_a_trip().await;
        session.end().await;
    })
    .await;
}

async fn trip_over_http(era: Era, name: &str) {
    bounded(async {
        let (mut server, address) = serve("trip", &folder(name)).await;
        let session = Session::over_http(era, &address).await;
        session.book_a_trip().await;
        session.end().await;
        server.kill().await.expect("the server can be ended");
    })
    .await;
}

#[tokio::test]
async fn a_modern_client_uses_everything_over_stdio() {
    everything_over_stdio(Era::Modern, "everything-modern").await;
}

#[tokio::test]
async fn a_legacy_client_uses_everything_over_stdio() {
    everything_over_stdio(Era::Legacy, "everything-legacy").await;
}

#[tokio::test]
async fn clients_of_both_eras_use_everything_over_http_at_once() {
    bounded(async {
        let (mut server, address) = serve("everything", &folder("everything-http")).await;
        let modern = Session::over_http(Era::Modern, &address).await;
        let legacy = Session::over_http(Era::Legacy, &address).await;
        // The list of tools is the one thing that they change for each other.
        tokio::join!(modern.hear_of_progress(), legacy.hear_of_progress());
        tokio::join!(modern.be_asked(), legacy.be_asked());
        modern.use_all().await;
        legacy.use_all().await;
        tokio::join!(modern.end(), legacy.end());
        server.kill().await.expect("the server can be ended");
    })
    .await;
}

#[tokio::test]
async fn a_modern_client_books_a_trip_over_stdio() {
    trip_over_stdio(Era::Modern, "trip-modern").await;
}

#[tokio::test]
async fn a_legacy_client_books_a_trip_over_stdio() {
    trip_over_stdio(Era::Legacy, "trip-legacy").await;
}

#[tokio::test]
async fn a_modern_client_books_a_trip_over_http() {
    trip_over_http(Era::Modern, "trip-modern-http").await;
}

#[tokio::test]
async fn a_legacy_client_books_a_trip_over_http() {
    trip_over_http(Era::Legacy, "trip-legacy-http").await;
}
