//! The official Rust SDK's client lists and calls everything that three of the examples offer, over both transports.
//!
//! Everything that is listed must stand in the table below, and everything in the table must be listed: what is added to
//! an example is added here. What both eras can do beside that is in `rust_sdk/features.rs`.

#[path = "rust_sdk/features.rs"]
mod features;

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use mcp_tests::binary;
use rmcp::model::{
    CallToolRequestParams, GetPromptRequestParams, JsonObject, ProtocolVersion, ReadResourceRequestParams,
};
use rmcp::service::RunningService;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// Longer than any of this takes, the slowest machine included.
const BOUND: Duration = Duration::from_secs(60);

type Client = RunningService<RoleClient, ()>;

/// What an example offers, and one use of each.
struct Example {
    binary: &'static str,
    tools: Vec<Use>,
    /// The fixed resources, by address; others that are listed are read as well.
    resources: Vec<Use>,
    /// One address of each template, by the template.
    templates: Vec<(&'static str, String)>,
    prompts: Vec<Use>,
}

/// A use of one tool, resource or prompt, with what the answer has at a JSON pointer.
struct Use {
    name: String,
    arguments: Value,
    at: &'static str,
    expected: Value,
}

fn using(name: impl Into<String>, arguments: Value, at: &'static str, expected: impl Into<Value>) -> Use {
    Use { name: name.into(), arguments, at, expected: expected.into() }
}

fn calculator() -> Example {
    Example {
        binary: "calculator",
        tools: vec![using(
            "calculator_arithmetic",
            json!({ "expression": "2 + 3 * 4" }),
            "/content/0/text",
            "14",
        )],
        resources: vec![using("calculator://syntax", json!({}), "/contents/0/mimeType", "text/markdown")],
        templates: vec![],
        prompts: vec![using(
            "word_problem",
            json!({ "problem": "What is half of a dozen?" }),
            "/messages/1/role",
            "assistant",
        )],
    }
}

fn database() -> Example {
    Example {
        binary: "database",
        tools: vec![
            using(
                "describe_table",
                json!({ "table": "customers" }),
                "/structuredContent/columns/0",
                json!({ "name": "id", "type": "INTEGER", "nullable": false }),
            ),
            using(
                "insert_order",
                json!({ "customer_id": 1, "lines": [{ "product_id": 1, "quantity": 2 }] }),
                "/structuredContent",
                json!({ "id": 13, "total_cents": 4380 }),
            ),
            using(
                "list_tables",
                json!({}),
                "/structuredContent/tables/0",
                json!({ "name": "customers", "kind": "table", "rows": 6 }),
            ),
            using(
                "query",
                json!({ "sql": "SELECT name FROM products ORDER BY id", "limit": 1 }),
                "/structuredContent",
                json!({ "columns": ["name"], "rows": [["Espresso beans 1 kg"]], "truncated": true }),
            ),
        ],
        resources: vec![using("db://schema", json!({}), "/contents/0/mimeType", "application/sql")],
        templates: vec![("db://{table}/rows/{id}", "db://orders/rows/1".to_owned())],
        prompts: vec![
            using(
                "explain_query",
                json!({ "sql": "SELECT 1", "style": "short" }),
                "/messages/2/content/text",
                "Explain in one sentence:\n\n```sql\nSELECT 1\n```",
            ),
            using(
                "sales_report",
                json!({ "month": "2026-05" }),
                "/messages/0/content/resource/uri",
                "db://schema",
            ),
        ],
    }
}

/// The files are made in `folder`.
fn filesystem(folder: &Path) -> Example {
    std::fs::write(folder.join("poem.txt"), "roses\nviolets\n").expect("the folder can be written to");
    std::fs::write(folder.join("draft.txt"), "one two\n").expect("the folder can be written to");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let uri = format!("file://{}", path("poem.txt"));
    Example {
        binary: "filesystem",
        tools: vec![
            using(
                "create_directory",
                json!({ "path": "deep/down" }),
                "/content/0/text",
                format!("{} is there", path("deep/down")),
            ),
            using(
                "edit_file",
                json!({ "path": "draft.txt", "old_text": "two", "new_text": "three" }),
                "/content/0/text",
                "--- draft.txt\n+++ draft.txt\n@@ -1,1 +1,1 @@\n-one two\n+one three\n",
            ),
            using("file_info", json!({ "path": "poem.txt" }), "/structuredContent/size", 14),
            using(
                "list_directory",
                json!({ "path": "." }),
                "/structuredContent/path",
                folder.to_string_lossy().into_owned(),
            ),
            using("read_file", json!({ "path": "poem.txt", "head": 1 }), "/content/0/text", "roses\n"),
            using(
                "search_files",
                json!({ "text": "violets" }),
                "/structuredContent/matches",
                json!([{ "path": path("poem.txt"), "line": 2, "text": "violets" }]),
            ),
            using(
                "write_file",
                json!({ "path": "new.txt", "content": "new" }),
                "/content/0/text",
                format!("3 bytes are in {}", path("new.txt")),
            ),
        ],
        resources: vec![using(uri.clone(), json!({}), "/contents/0/text", "roses\nviolets\n")],
        templates: vec![("file:///{+path}", uri)],
        prompts: vec![using(
            "review_file",
            json!({ "path": "poem.txt" }),
            "/messages/0/content/resource/text",
            "roses\nviolets\n",
        )],
    }
}

impl Use {
    fn check(&self, answer: &impl serde::Serialize) {
        let answer = serde_json::to_value(answer).expect("answers serialize");
        assert_eq!(answer.pointer(self.at), Some(&self.expected), "`{}` gave {answer}", self.name);
    }

    fn arguments(&self) -> JsonObject {
        self.arguments.as_object().expect("arguments are an object").clone()
    }
}

/// That what is listed is what the table has.
fn assert_same<'a>(what: &str, listed: impl Iterator<Item = &'a str>, table: impl Iterator<Item = &'a str>) {
    let (mut listed, mut table): (Vec<_>, Vec<_>) = (listed.collect(), table.collect());
    listed.sort_unstable();
    table.sort_unstable();
    assert_eq!(
        listed, table,
        "the {what} that are listed, and those of the table in tests/tests/rust_sdk.rs"
    );
}

impl Example {
    /// Lists everything and uses everything.
    async fn use_all(&self, client: &Client) {
        let info = client.peer_info().expect("the server was discovered");
        assert_eq!(info.protocol_version, ProtocolVersion::V_2026_07_28);
        let info = serde_json::to_value(&*info).expect("it serializes");
        assert_eq!(info["serverInfo"]["name"], self.binary, "{info}");
        self.call_tools(client).await;
        self.read_resources(client).await;
        self.get_prompts(client).await;
    }

    async fn call_tools(&self, client: &Client) {
        let listed = client.list_all_tools().await.expect("the tools are listed");
        assert_same("tools", listed.iter().map(|tool| &*tool.name), names(&self.tools));
        for tool in &self.tools {
            let request = CallToolRequestParams::new(tool.name.clone()).with_arguments(tool.arguments());
            let result = client.call_tool(request).await;
            let result = result.unwrap_or_else(|error| panic!("calling `{}`: {error}", tool.name));
            assert_ne!(result.is_error, Some(true), "`{}` failed: {result:?}", tool.name);
            tool.check(&result);
        }
    }

    async fn read_resources(&self, client: &Client) {
        let listed = client.list_all_resources().await.expect("the resources are listed");
        let templates = client.list_all_resource_templates().await.expect("the templates are listed");
        let known = self.templates.iter().map(|(template, _)| *template);
        assert_same("resource templates", templates.iter().map(|template| &*template.uri_template), known);
        for resource in &self.resources {
            assert!(
                listed.iter().any(|listed| listed.uri == resource.name),
                "`{}` is not listed",
                resource.name
            );
            resource.check(&read(client, &resource.name).await);
        }
        let expanded = self.templates.iter().map(|(_, uri)| uri);
        for uri in listed.iter().map(|resource| &resource.uri).chain(expanded) {
            read(client, uri).await;
        }
    }

    async fn get_prompts(&self, client: &Client) {
        let listed = client.list_all_prompts().await.expect("the prompts are listed");
        assert_same("prompts", listed.iter().map(|prompt| &*prompt.name), names(&self.prompts));
        for prompt in &self.prompts {
            let request = GetPromptRequestParams::new(&prompt.name).with_arguments(prompt.arguments());
            let result = client.get_prompt(request).await;
            prompt.check(&result.unwrap_or_else(|error| panic!("getting `{}`: {error}", prompt.name)));
        }
    }
}

fn names(uses: &[Use]) -> impl Iterator<Item = &str> {
    uses.iter().map(|one| &*one.name)
}

async fn read(client: &Client, uri: &str) -> Value {
    let result = client.read_resource(ReadResourceRequestParams::new(uri)).await;
    let result = result.unwrap_or_else(|error| panic!("reading {uri}: {error}"));
    let result = serde_json::to_value(result).expect("it serializes");
    assert_eq!(result["contents"][0]["uri"], uri);
    result
}

/// A folder of its own, empty, for the server to run in and to keep its files in.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust_sdk").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the target folder can be written to");
    folder.canonicalize().expect("it was just made")
}

/// The server's command; dropped, it ends the process.
fn command(example: &Example, folder: &Path) -> Command {
    let mut command = Command::new(binary(example.binary));
    command.current_dir(folder).env("TMPDIR", folder).kill_on_drop(true);
    command
}

async fn over_stdio(example: Example, folder: &Path) {
    let command = command(&example, folder);
    let test = async {
        let transport = TokioChildProcess::new(command).expect("the server starts");
        // Only what `server/discover` agrees on.
        let lifecycle =
            ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
        let client = ().serve_with_lifecycle(transport, lifecycle).await.expect("the client connects");
        example.use_all(&client).await;
        client.cancel().await.expect("the client closes the server's input and waits for its end");
    };
    tokio::time::timeout(BOUND, test).await.expect("the server answers in time");
}

async fn over_http(example: Example, folder: &Path) {
    let mut command = command(&example, folder);
    let test = async {
        let mut server = command
            .args(["--http", "127.0.0.1:0"])
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let transport = StreamableHttpClientTransport::from_uri(address(&mut server).await);
        // Whatever the server speaks, the newest first.
        let lifecycle = ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: None,
        };
        let client = ().serve_with_lifecycle(transport, lifecycle).await.expect("the client connects");
        example.use_all(&client).await;
        client.cancel().await.expect("the client ends");
        server.kill().await.expect("the server can be ended");
    };
    tokio::time::timeout(BOUND, test).await.expect("the server answers in time");
}

/// Where the server says that it listens; what else it says is passed on.
async fn address(server: &mut Child) -> String {
    let mut lines = BufReader::new(server.stderr.take().expect("it is piped")).lines();
    let address = loop {
        let line = lines.next_line().await.expect("it is text").expect("the server names its address");
        if let Some(address) = line.split_whitespace().find(|word| word.starts_with("http://")) {
            break address.to_owned();
        }
        eprintln!("{line}");
    };
    tokio::spawn(async move {
        while let Ok(Some(line)) = lines.next_line().await {
            eprintln!("{line}");
        }
    });
    address
}

#[tokio::test]
async fn calculator_over_stdio() {
    over_stdio(calculator(), &folder("calculator-stdio")).await;
}

#[tokio::test]
async fn calculator_over_http() {
    over_http(calculator(), &folder("calculator-http")).await;
}

#[tokio::test]
async fn database_over_stdio() {
    over_stdio(database(), &folder("database-stdio")).await;
}

#[tokio::test]
async fn database_over_http() {
    over_http(database(), &folder("database-http")).await;
}

#[tokio::test]
async fn filesystem_over_stdio() {
    let folder = folder("filesystem-stdio");
    over_stdio(filesystem(&folder), &folder).await;
}

#[tokio::test]
async fn filesystem_over_http() {
    let folder = folder("filesystem-http");
    over_http(filesystem(&folder), &folder).await;
}
