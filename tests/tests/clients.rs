//! What real clients and models send, from public reports against other servers: the rows C1 to C10.

use std::process::Stdio;

use mcp_runtime::Server;
use mcp_runtime::testing::Client;
use mcp_tests::{call, client, error, exchange, refused, request, said};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

#[allow(dead_code, reason = "fields are read by `Debug`")]
mod tools {
    use std::collections::BTreeMap;

    use mcp_runtime::prelude::*;
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::{Value, json};

    #[tool]
    fn nothing() -> &'static str {
        "done"
    }

    #[tool]
    fn optional(
        note: Option<String>,
        #[arg(default = 3)] count: u32,
        #[arg(default = "metric")] units: &str,
        more: Option<Filter>,
    ) -> String {
        format!("{note:?} {count} {units} {}", more.is_some())
    }

    #[tool]
    fn required(
        /// The first addend.
        a: i64,
        text: &str,
    ) -> String {
        format!("{a} {text}")
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    pub(crate) struct Filter {
        tags: Vec<String>,
        limit: Option<u32>,
        #[serde(default = "ten")]
        offset: u32,
        exact: bool,
        ratio: f64,
        within: Option<Range>,
    }

    fn ten() -> u32 {
        10
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    struct Range {
        from: i64,
        to: Option<i64>,
    }

    #[tool]
    fn search(filter: Filter) -> String {
        format!("{filter:?}")
    }

    #[tool]
    fn sum(numbers: &[i64]) -> i64 {
        numbers.iter().sum()
    }

    #[tool]
    fn scalars(integer: i64, unsigned: u8, number: f64, flag: bool) -> String {
        format!("{integer} {unsigned} {number} {flag}")
    }

    #[tool]
    fn maps(counts: BTreeMap<String, u32>, names: Vec<Vec<String>>) -> String {
        format!("{counts:?} {names:?}")
    }

    #[tool]
    fn strings(owned: String, borrowed: &str, maybe: Option<String>, many: Vec<String>) -> String {
        json!([owned, borrowed, maybe, many]).to_string()
    }

    #[tool]
    fn anything(value: Value) -> String {
        value.to_string()
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(untagged)]
    enum OneOrMany {
        One(String),
        Many(Vec<String>),
    }

    #[tool]
    fn either(names: OneOrMany) -> String {
        format!("{names:?}")
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    struct Paging {
        page: Option<u32>,
        #[serde(default)]
        size: u32,
    }

    #[tool]
    fn flat(query: &str, #[arg(flatten)] paging: Paging) -> String {
        format!("{query} {paging:?}")
    }

    fn by_hand() -> Value {
        json!({
            "type": "object",
            "properties": {
                "ids": { "type": "array", "items": { "type": "integer" } },
                "limit": { "type": "integer", "minimum": 1 },
                "note": { "type": "string" },
            },
            "required": ["ids"],
        })
    }

    #[tool(input_schema = by_hand)]
    fn hand_written(ids: Vec<i64>, limit: Option<u32>, note: Option<String>) -> String {
        format!("{ids:?} {limit:?} {note:?}")
    }

    #[tool]
    fn panics() -> String {
        panic!("the secret of the sync panic");
    }

    #[tool]
    async fn panics_later() -> String {
        tokio::task::yield_now().await;
        panic!("the secret of the async panic");
    }

    #[tool(blocking)]
    fn panics_on_the_pool() -> String {
        std::panic::panic_any(42);
    }

    #[resource("app://panics")]
    fn panicking_resource() -> String {
        panic!("the secret of the resource");
    }

    #[prompt]
    async fn panicking_prompt(#[arg(complete = panicking_completion)] text: String) -> String {
        tokio::task::yield_now().await;
        panic!("the secret of the prompt {text}");
    }

    fn panicking_completion(typed: &str) -> Vec<String> {
        panic!("the secret of the completion {typed}");
    }

    #[resource("app://panics/{id}", list = panicking_list)]
    fn panicking_template(id: u32) -> String {
        panic!("the secret of the template {id}");
    }

    fn panicking_list() -> Vec<String> {
        panic!("the secret of the list");
    }
}

fn tools() -> Client {
    client("clients::tools")
}

/// C1: `"arguments": null` is `{}`, and so are missing arguments; the same for prompts.
#[tokio::test]
async fn c1_null_arguments_are_none() {
    let client = tools();
    let done = json!({ "content": [{ "type": "text", "text": "done" }] });
    assert_eq!(call(&client, "nothing", json!(null)).await, done);
    assert_eq!(call(&client, "nothing", json!({})).await, done);
    assert_eq!(mcp_tests::result(&client, "tools/call", json!({ "name": "nothing" })).await, done);
    assert_eq!(said(&client, "optional", json!(null)).await, "None 3 metric false");
    assert_eq!(
        refused(&client, "required", json!(null)).await,
        [
            "argument `a`: missing, expected an integer (The first addend)",
            "argument `text`: missing, expected a string",
        ]
    );
}

/// C2: an optional argument that is `null` is absent, so that its default applies, at every depth.
#[tokio::test]
async fn c2_null_for_an_optional_argument_is_absent() {
    let client = tools();
    let nulls = json!({ "note": null, "count": null, "units": null, "more": null });
    assert_eq!(said(&client, "optional", nulls).await, "None 3 metric false");
    let filter =
        json!({ "tags": [], "limit": null, "offset": null, "exact": true, "ratio": 0.5, "within": null });
    assert_eq!(
        said(&client, "search", json!({ "filter": filter })).await,
        "Filter { tags: [], limit: None, offset: 10, exact: true, ratio: 0.5, within: None }"
    );
    let filter = json!({ "tags": [], "exact": true, "ratio": 1, "within": { "from": 1, "to": null } });
    assert_eq!(
        said(&client, "search", json!({ "filter": filter })).await,
        "Filter { tags: [], limit: None, offset: 10, exact: true, ratio: 1.0, within: Some(Range { from: 1, to: None }) }"
    );
    assert_eq!(
        said(&client, "flat", json!({ "query": "q", "page": null, "size": null })).await,
        "q Paging { page: None, size: 0 }"
    );
}

/// C2: a required argument that is `null` is a fault with its name, at every depth.
#[tokio::test]
async fn c2_null_for_a_required_argument_is_named() {
    let client = tools();
    assert_eq!(
        refused(&client, "required", json!({ "a": null, "text": null })).await,
        ["argument `a`: got null, expected an integer", "argument `text`: got null, expected a string",]
    );
    let filter = json!({ "tags": null, "exact": null, "ratio": 1, "within": { "from": null } });
    assert_eq!(
        refused(&client, "search", json!({ "filter": filter })).await,
        [
            "argument `filter.tags`: got null, expected an array of strings",
            "argument `filter.exact`: got null, expected true or false",
            "argument `filter.within.from`: got null, expected an integer",
        ]
    );
}

/// C3: an array or object sent as a JSON string is decoded.
#[tokio::test]
async fn c3_stringified_arrays_and_objects_are_decoded() {
    let client = tools();
    assert_eq!(said(&client, "sum", json!({ "numbers": "[1, 2, 3]" })).await, "6");
    let filter = r#"{"tags": ["a", "b"], "exact": true, "ratio": 0.5}"#;
    let decoded =
        "Filter { tags: [\"a\", \"b\"], limit: None, offset: 10, exact: true, ratio: 0.5, within: None }";
    assert_eq!(said(&client, "search", json!({ "filter": filter })).await, decoded);
    let maps = json!({ "counts": "{\"a\": 1}", "names": "[[\"x\"], []]" });
    assert_eq!(said(&client, "maps", maps).await, "{\"a\": 1} [[\"x\"], []]");
    let maps = json!({ "counts": { "a": "1" }, "names": ["[\"x\"]", []] });
    assert_eq!(said(&client, "maps", maps).await, "{\"a\": 1} [[\"x\"], []]");
}

/// C3: so are the fields of a nested struct, and numbers and booleans wherever they are.
#[tokio::test]
async fn c3_stringified_fields_and_scalars_are_decoded() {
    let client = tools();
    let filter = json!({
        "tags": "[\"a\"]", "limit": "5", "offset": "7", "exact": "true", "ratio": "1.5",
        "within": "{\"from\": \"1\", \"to\": \"2\"}",
    });
    assert_eq!(
        said(&client, "search", json!({ "filter": filter })).await,
        "Filter { tags: [\"a\"], limit: Some(5), offset: 7, exact: true, ratio: 1.5, \
         within: Some(Range { from: 1, to: Some(2) }) }"
    );
    let scalars = json!({ "integer": "-3", "unsigned": "255", "number": "2.5", "flag": "False" });
    assert_eq!(said(&client, "scalars", scalars).await, "-3 255 2.5 false");
    let scalars = json!({ "integer": 3.0, "unsigned": 2e2, "number": 2, "flag": true });
    assert_eq!(said(&client, "scalars", scalars).await, "3 200 2 true");
    let flat = json!({ "query": "q", "page": "2", "size": "20" });
    assert_eq!(said(&client, "flat", flat).await, "q Paging { page: Some(2), size: 20 }");
}

/// C3: a string parameter is never touched, whatever it looks like.
#[tokio::test]
async fn c3_strings_are_never_touched() {
    let client = tools();
    for text in ["[\"a\",\"b\"]", "{\"a\": 1}", "42", "true", "null", "\"quoted\"", "", " 1 "] {
        let arguments = json!({ "owned": text, "borrowed": text, "maybe": text, "many": [text, text] });
        let expected = json!([text, text, text, [text, text]]).to_string();
        assert_eq!(said(&client, "strings", arguments).await, expected);
        assert_eq!(said(&client, "anything", json!({ "value": text })).await, json!(text).to_string());
        assert_eq!(said(&client, "either", json!({ "names": text })).await, format!("One({text:?})"));
        let filter = json!({ "tags": [text], "exact": "true", "ratio": 1 });
        assert_eq!(
            said(&client, "search", json!({ "filter": filter })).await,
            format!(
                "Filter {{ tags: [{text:?}], limit: None, offset: 10, exact: true, ratio: 1.0, within: None }}"
            )
        );
    }
    let many = json!({ "owned": "[]", "borrowed": "[]", "many": "[\"[1]\"]" });
    assert_eq!(said(&client, "strings", many).await, json!(["[]", "[]", null, ["[1]"]]).to_string());
}

/// C3: what a string does not decode to is a named fault.
#[tokio::test]
async fn c3_what_does_not_decode_is_named() {
    let client = tools();
    assert_eq!(
        refused(&client, "sum", json!({ "numbers": "1, 2" })).await,
        ["argument `numbers`: got \"1, 2\", expected an array of integers"]
    );
    assert_eq!(
        refused(&client, "sum", json!({ "numbers": "[1, \"x\"]" })).await,
        ["argument `numbers[1]`: got \"x\", expected an integer"]
    );
    assert_eq!(
        refused(
            &client,
            "scalars",
            json!({ "integer": "3.5", "unsigned": "256", "number": "", "flag": "yes" })
        )
        .await,
        [
            "argument `integer`: got \"3.5\", expected an integer",
            "argument `unsigned`: got 256, expected an integer from 0 to 255",
            "argument `number`: got \"\", expected a number",
            "argument `flag`: got \"yes\", expected true or false",
        ]
    );
}

/// C1 to C3 hold for a tool whose schema is written by hand as well.
#[tokio::test]
async fn c2_c3_hold_under_a_schema_written_by_hand() {
    let client = tools();
    let expected = "[1, 2] None None";
    assert_eq!(said(&client, "hand_written", json!({ "ids": [1, 2] })).await, expected);
    let nulls = json!({ "ids": [1, 2], "limit": null, "note": null });
    assert_eq!(said(&client, "hand_written", nulls).await, expected);
    let strings = json!({ "ids": "[\"1\", 2]", "limit": "5", "note": "[1]" });
    assert_eq!(said(&client, "hand_written", strings).await, "[1, 2] Some(5) Some(\"[1]\")");
    assert_eq!(
        refused(&client, "hand_written", json!({ "ids": null, "limit": "0" })).await,
        [
            "argument `ids`: got null, expected an array of integers",
            "argument `limit`: got 0, expected an integer of at least 1",
        ]
    );
}

/// Serves these tools over HTTP on the loopback, and gives the status, the headers and the body of one POST.
async fn post(
    configure: impl FnOnce(Server) -> Server,
    headers: &[(&str, &str)],
    body: &Value,
) -> (u16, String, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let (stop, stopped) = oneshot::channel::<()>();
    let server = configure(mcp_tests::server("clients::http"));
    let server =
        tokio::spawn(
            async move { server.serve_listener(listener, async { drop(stopped.await) }).await.is_ok() },
        );
    let body = body.to_string();
    let host = address.to_string();
    let host = headers.iter().find(|(name, _)| *name == "Host").map_or(&*host, |(_, host)| host);
    let mut request = format!(
        "POST /mcp HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n",
        body.len()
    );
    for (name, value) in headers.iter().filter(|(name, _)| *name != "Host") {
        request = format!("{request}{name}: {value}\r\n");
    }
    request = format!("{request}\r\n{body}");
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    stream.write_all(request.as_bytes()).await.expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("it answers");
    drop((stream, stop));
    assert!(server.await.expect("no panic"), "it stops when it is told to");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, head.to_lowercase(), body.to_owned())
}

mod http {
    use mcp_runtime::prelude::*;

    #[tool]
    async fn report(ctx: &Context) -> &'static str {
        ctx.progress(1.0, 2.0, "half");
        tokio::task::yield_now().await;
        "done"
    }
}

const HEADERS: [(&str, &str); 3] =
    [("MCP-Protocol-Version", mcp_tests::VERSION), ("Mcp-Method", "tools/call"), ("Mcp-Name", "report")];

fn report() -> Value {
    request(1, "tools/call", json!({ "name": "report", "_meta": { "progressToken": 1 } }))
}

/// C4: `Accept: application/json` alone, `*/*` or none: a call is served as JSON, without its notifications.
#[tokio::test]
async fn c4_a_client_that_takes_no_stream_gets_json() {
    for accept in
        [Some("application/json"), Some("*/*"), None, Some("application/*"), Some("application/json;q=0.5")]
    {
        let headers: Vec<_> = HEADERS.into_iter().chain(accept.map(|accept| ("Accept", accept))).collect();
        let (status, head, body) = post(|server| server, &headers, &report()).await;
        assert_eq!(status, 200, "{accept:?}: {body}");
        assert!(head.contains("content-type: application/json"), "{accept:?}: {head}");
        let answer: Value = serde_json::from_str(&body).expect("one JSON message");
        assert_eq!((&answer["id"], &answer["result"]["content"][0]["text"]), (&json!(1), &json!("done")));
    }
    let headers: Vec<_> =
        HEADERS.into_iter().chain([("Accept", "application/json, text/event-stream")]).collect();
    let (status, head, body) = post(|server| server, &headers, &report()).await;
    assert!(status == 200 && head.contains("content-type: text/event-stream"), "{head}");
    assert!(body.contains("notifications/progress"), "{body}");
}

/// C5: a public name in `Host` is refused on a loopback bind, and the refusal names it and what allows it.
#[tokio::test]
async fn c5_a_foreign_host_is_refused_and_told_how_to_be_allowed() {
    let headers: Vec<_> = HEADERS.into_iter().chain([("Host", "mcp.example.com")]).collect();
    let (status, _, body) = post(|server| server, &headers, &report()).await;
    assert_eq!(status, 403, "{body}");
    let answer: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(answer.get("id"), None);
    assert_eq!(
        answer["error"]["message"],
        "Invalid Request: the host \"mcp.example.com\" is not allowed; if this server is meant to be reached by that \
         name, allow it with `Server::allow_host(\"mcp.example.com\")` or `--allow-host mcp.example.com`"
    );
    let (status, ..) = post(|server| server.allow_host("mcp.example.com"), &headers, &report()).await;
    assert_eq!(status, 200);
    for host in ["localhost", "localhost:1234", "127.0.0.1", "[::1]:80"] {
        let headers: Vec<_> = HEADERS.into_iter().chain([("Host", host)]).collect();
        assert_eq!(post(|server| server, &headers, &report()).await.0, 200, "{host}");
    }
}

/// The server `noisy` as a child, and what it wrote until its end: the messages on stdout, and stderr.
async fn noisy(lines: &[Value], close: bool) -> (Vec<Value>, String, Option<i32>) {
    let mut child = tokio::process::Command::new(env!("CARGO_BIN_EXE_noisy"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("piped");
    let mut stdout = BufReader::new(child.stdout.take().expect("piped")).lines();
    // Read at the same time: a child that nobody listens to waits for its pipe.
    let mut stderr = child.stderr.take().expect("piped");
    let stderr = tokio::spawn(async move {
        let mut text = String::new();
        stderr.read_to_string(&mut text).await.map(|_| text)
    });
    let text: Vec<u8> = lines.iter().flat_map(|line| (line.to_string() + "\n").into_bytes()).collect();
    stdin.write_all(&text).await.expect("it reads");
    let mut stdin = Some(stdin);
    let mut messages = Vec::new();
    if close {
        drop(stdin.take());
    }
    let wanted = lines.iter().filter(|line| line.get("id").is_some()).count();
    while let Some(line) = stdout.next_line().await.expect("UTF-8") {
        // What was printed before the server began is no part of its stream.
        if line == "noise before the server" {
            continue;
        }
        messages.push(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")));
        if messages.len() == wanted {
            drop(stdin.take());
        }
    }
    let status = child.wait().await.expect("it ends");
    let stderr = stderr.await.expect("no panic").expect("UTF-8");
    (messages, stderr, status.code())
}

fn of_noisy(id: u32, tool: &str) -> Value {
    request(id, "tools/call", json!({ "name": tool }))
}

/// C6: what is written to the process's standard output reaches stderr, and the stream stays valid.
#[tokio::test]
async fn c6_noise_on_stdout_reaches_stderr() {
    let (messages, stderr, code) = noisy(&[of_noisy(1, "noise"), of_noisy(2, "quiet")], false).await;
    assert_eq!(messages.len(), 2, "{messages:?}");
    for message in &messages {
        assert_eq!(message["result"]["content"], json!([{ "type": "text", "text": "quiet" }]), "{message}");
    }
    for noise in ["noise from println", "noise without a line's end", "noise from a child"] {
        assert!(stderr.contains(noise), "{noise}: {stderr}");
    }
    if cfg!(unix) {
        assert!(stderr.contains("noise from printf") && stderr.contains("noise from write"), "{stderr}");
    }
    assert_eq!(code, Some(0));
}

/// C6: also where it looks like a message, or is large.
#[tokio::test]
async fn c6_a_forged_message_is_no_message() {
    let (messages, stderr, code) = noisy(&[of_noisy(1, "forged")], false).await;
    let [message] = &messages[..] else { panic!("{messages:?}") };
    assert_eq!(message["result"]["content"][0]["text"], "genuine");
    assert!(stderr.contains("\"forged\":true") && stderr.contains(&"x".repeat(100_000)));
    assert_eq!(code, Some(0));
}

/// C7: a client that closes stdin before its first request: the server ends with 0.
#[tokio::test]
async fn c7_a_client_that_says_nothing_is_left_in_peace() {
    let (messages, stderr, code) = noisy(&[], true).await;
    assert_eq!((messages, code), (Vec::new(), Some(0)), "{stderr}");
}

/// C7: one that closes it right after its requests: what was read is answered, then the server ends with 0.
#[tokio::test]
async fn c7_what_was_read_before_the_end_is_answered() {
    let requests = [
        request(1, "server/discover", json!({})),
        request(2, "tools/list", json!({})),
        of_noisy(3, "quiet"),
        of_noisy(4, "noise"),
    ];
    let (messages, stderr, code) = noisy(&requests, true).await;
    let mut ids: Vec<i64> = messages.iter().filter_map(|message| message["id"].as_i64()).collect();
    ids.sort_unstable();
    assert_eq!((ids, code), (vec![1, 2, 3, 4], Some(0)), "{stderr}");
    assert!(messages.iter().all(|message| message["result"].is_object()), "{messages:?}");
}

mod duplicated {
    pub(crate) mod files {
        use mcp_runtime::prelude::*;

        #[tool]
        fn search() -> &'static str {
            "files"
        }
    }

    pub(crate) mod web {
        use mcp_runtime::prelude::*;

        #[tool]
        fn search() -> &'static str {
            "web"
        }
    }
}

/// C9: two tools of one name in two modules keep the server from starting, and both places are named.
#[tokio::test]
async fn c9_two_tools_of_one_name_are_both_named() {
    let faults = Client::new(mcp_tests::server("clients::duplicated")).err().expect("two tools of one name");
    let [fault] = faults.faults() else { panic!("{faults}") };
    let places: Vec<u32> = fault
        .split("tests/tests/clients.rs:")
        .skip(1)
        .map(|rest| {
            rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default().parse().expect("a line")
        })
        .collect();
    let [files, web] = places[..] else { panic!("{fault}") };
    assert!(files < web, "{fault}");
    assert_eq!(
        *fault,
        format!(
            "two tools are called `search`: tests/tests/clients.rs:{files} and tests/tests/clients.rs:{web}; \
             rename one with `#[tool(name = \"..\")]`"
        )
    );
    let source = include_str!("clients.rs");
    for line in [files, web] {
        let place: Vec<&str> = source.lines().skip(line as usize - 2).take(3).collect();
        assert!(place.join("\n").contains("fn search()"), "{place:?}");
    }
    assert_eq!(said(&client("clients::duplicated::web"), "search", json!({})).await, "web");
    assert_eq!(said(&client("clients::duplicated::files"), "search", json!({})).await, "files");
}

/// C10: a handler that panics is answered, with nothing of the panic in the answer, and the next request works.
#[tokio::test]
async fn c10_a_panic_is_answered_and_the_server_lives_on() {
    let client = tools();
    let requests = [
        ("tools/call", json!({ "name": "panics" })),
        ("tools/call", json!({ "name": "panics_later" })),
        ("tools/call", json!({ "name": "panics_on_the_pool" })),
        ("resources/read", json!({ "uri": "app://panics" })),
        ("resources/read", json!({ "uri": "app://panics/1" })),
        ("resources/list", json!({})),
        ("prompts/get", json!({ "name": "panicking_prompt", "arguments": { "text": "x" } })),
        (
            "completion/complete",
            json!({
                "ref": { "type": "ref/prompt", "name": "panicking_prompt" },
                "argument": { "name": "text", "value": "x" },
            }),
        ),
    ];
    for (method, params) in requests {
        assert_eq!(
            error(&client, method, params.clone()).await,
            json!({ "code": -32603, "message": "Internal error" }),
            "{method} {params}"
        );
        assert_eq!(said(&client, "nothing", json!({})).await, "done");
    }
}

/// C10: also when several panic at once.
#[tokio::test]
async fn c10_concurrent_panics_are_answered_each() {
    let client = tools();
    let panicking = |id: i64| request(id, "tools/call", json!({ "name": "panics_later" }));
    let (first, second, third) =
        (panicking(1), panicking(2), request(3, "tools/call", json!({ "name": "nothing" })));
    let ((_, first), (_, second), (_, third)) =
        tokio::join!(exchange(&client, &first), exchange(&client, &second), exchange(&client, &third));
    let internal: Value = json!({ "code": -32603, "message": "Internal error" });
    assert_eq!((&first["error"], &second["error"]), (&internal, &internal));
    assert_eq!(third["result"]["content"][0]["text"], "done");
}
