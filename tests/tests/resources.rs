//! server/resources: listing resources and templates, and reading them.

use mcp_runtime::testing::Client;
use mcp_tests::{client, error, listed, names, result};
use serde_json::{Value, json};

#[allow(clippy::unnecessary_wraps, clippy::unused_async, reason = "each form that an author may write")]
mod resources {
    use std::borrow::Cow;

    use mcp_runtime::prelude::*;
    use mcp_runtime::{Error, SafePath};
    use serde_json::json;

    #[resource("app://text")]
    fn text() -> String {
        "plain\ntext".to_owned()
    }

    #[resource("app://literal", mime = "text/markdown")]
    fn literal() -> &'static str {
        "# Title"
    }

    #[resource("app://cow")]
    #[allow(clippy::unused_async, reason = "how an `async` function is served")]
    async fn cow() -> Cow<'static, str> {
        "cow".into()
    }

    #[resource("app://bytes")]
    fn bytes() -> Vec<u8> {
        vec![0xff, 0, 0xfe]
    }

    #[resource("app://slice", mime = "image/x-icon")]
    fn slice() -> &'static [u8] {
        b"ico"
    }

    #[resource("app://json")]
    fn json() -> Json<Vec<u8>> {
        Json(vec![1, 2])
    }

    #[resource("app://schema", mime = "application/schema+json")]
    #[allow(clippy::unnecessary_wraps, reason = "how a `Result` is answered")]
    fn schema() -> Result<Json<serde_json::Value>> {
        Ok(Json(json!({ "type": "object" })))
    }

    #[resource("app://image")]
    fn image() -> Image {
        Image::png([1, 2, 3])
    }

    #[resource("app://audio", mime = "audio/x-other")]
    fn audio() -> Audio {
        Audio::wav([1, 2, 3])
    }

    #[resource("app://one")]
    fn one() -> ResourceContents {
        ResourceContents::text("", "of its own").mime_type("text/x-own")
    }

    #[resource("app://folder", mime = "text/x-folder")]
    fn folder() -> Vec<ResourceContents> {
        vec![
            ResourceContents::text("app://folder/a", "a"),
            ResourceContents::bytes("app://folder/b", [1]).mime_type("image/png"),
            ResourceContents::text("", "the folder"),
        ]
    }

    #[resource("app://mixed")]
    fn mixed() -> Vec<ResourceContents> {
        vec![ResourceContents::text("app://mixed/a", "a"), ResourceContents::bytes("app://mixed/b", [1])]
    }

    #[resource("app://empty")]
    fn empty() -> Vec<ResourceContents> {
        Vec::new()
    }

    #[resource("app://maybe")]
    fn maybe() -> Option<String> {
        None
    }

    #[resource("app://fails")]
    fn fails() -> Result<String> {
        Ok(String::from_utf8(vec![0xff])?)
    }

    #[resource("app://refuses")]
    fn refuses() -> Result<String> {
        Err(Error::new(1234, "of my own").into())
    }

    #[resource("app://slow", timeout = "20ms")]
    async fn slow() -> String {
        std::future::pending().await
    }

    /// The documentation.
    #[resource(
        "file:///project/README.md",
        name = "README.md",
        title = "Project Documentation",
        mime = "text/markdown",
        size = 1024,
        audience(user, assistant),
        priority = 0.8,
        icon("https://example.com/icon.svg", sizes("any")),
        meta("com.example/rev" = 7)
    )]
    fn readme() -> &'static str {
        "# Readme"
    }

    #[resource("files://{+path}")]
    fn any_file(path: SafePath) -> String {
        format!("any {}", path.as_str())
    }

    #[resource("files://docs/{name}")]
    fn doc(name: String) -> String {
        format!("doc {name}")
    }

    #[resource("files://docs/index")]
    fn index() -> &'static str {
        "index"
    }
}

#[allow(clippy::unused_async, reason = "each form that an author may write")]
mod templates {
    use mcp_runtime::ResourceLink;
    use mcp_runtime::prelude::*;
    use schemars::JsonSchema;
    use serde::Deserialize;

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub(crate) enum Format {
        Csv,
        Json,
    }

    /// A row by primary key.
    #[resource("db://{table}/rows/{id}", title = "Row", mime = "application/json", list = rows)]
    #[allow(clippy::unused_async, reason = "how an `async` function is served")]
    async fn row(table: String, id: i64) -> Option<String> {
        (id < 100).then(|| format!("{table} {id}"))
    }

    async fn rows(ctx: &Context) -> Result<Vec<ResourceLink>> {
        tokio::task::yield_now().await;
        let title = ctx.client().info().map_or_else(String::new, |info| info.name.clone());
        Ok(vec![
            ResourceLink::new("db://orders/rows/1").title(title),
            ResourceLink::new("db://orders/rows/2").name("second").mime_type("text/plain"),
        ])
    }

    #[resource("search://items{?query,limit,exact,format}", list = searches)]
    fn search(
        query: Option<String>,
        #[arg(default = 10)] limit: u32,
        exact: Option<bool>,
        format: Option<Format>,
    ) -> String {
        format!("{query:?} {limit} {exact:?} {format:?}")
    }

    fn searches() -> [&'static str; 0] {
        []
    }

    #[resource("path://{/rest}")]
    fn rest(rest: &str) -> String {
        rest.to_owned()
    }

    #[resource("word://{word}")]
    fn word(word: &str) -> String {
        format!("<{word}>")
    }

    #[resource("ratio://{ratio}/{flag}")]
    fn ratio(#[arg(range(0.0..=1.0))] ratio: f64, flag: bool) -> String {
        format!("{ratio} {flag}")
    }
}

mod broken_list {
    use mcp_runtime::prelude::*;

    #[resource("broken://{id}", list = list)]
    fn broken(id: u8) -> String {
        id.to_string()
    }

    fn list() -> Result<Vec<String>, String> {
        Err("the index is gone".to_owned())
    }
}

fn resources() -> Client {
    client("resources::resources")
}

fn templates() -> Client {
    client("resources::templates")
}

async fn contents(client: &Client, uri: &str) -> Value {
    let result = result(client, "resources/read", json!({ "uri": uri })).await;
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(0), &json!("private")));
    result["contents"].clone()
}

async fn text(client: &Client, uri: &str) -> String {
    let contents = contents(client, uri).await;
    assert_eq!(contents[0]["uri"], uri);
    contents[0]["text"].as_str().unwrap_or_default().to_owned()
}

/// Resource: everything that its author says, and nothing that is not said.
#[tokio::test]
async fn a_resource_is_listed_with_all_that_its_author_says() {
    let client = resources();
    assert_eq!(
        listed(&client, "resources", "README.md").await,
        json!({
            "uri": "file:///project/README.md",
            "name": "README.md",
            "title": "Project Documentation",
            "description": "The documentation.",
            "mimeType": "text/markdown",
            "size": 1024,
            "annotations": { "audience": ["user", "assistant"], "priority": 0.8 },
            "icons": [{ "src": "https://example.com/icon.svg", "sizes": ["any"] }],
            "_meta": { "com.example/rev": 7 },
        })
    );
    assert_eq!(listed(&client, "resources", "text").await, json!({ "uri": "app://text", "name": "text" }));
}

/// Text Content and Binary Content: text is text, bytes are base64; the MIME type is the attribute's, else that of
/// the type.
#[tokio::test]
async fn every_return_type_is_contents_of_its_kind() {
    let client = resources();
    for (uri, mime, body) in [
        ("app://text", "text/plain", json!({ "text": "plain\ntext" })),
        ("app://literal", "text/markdown", json!({ "text": "# Title" })),
        ("app://cow", "text/plain", json!({ "text": "cow" })),
        ("app://bytes", "application/octet-stream", json!({ "blob": "/wD+" })),
        ("app://slice", "image/x-icon", json!({ "blob": "aWNv" })),
        ("app://json", "application/json", json!({ "text": "[1,2]" })),
        ("app://schema", "application/schema+json", json!({ "text": "{\"type\":\"object\"}" })),
        ("app://image", "image/png", json!({ "blob": "AQID" })),
        ("app://audio", "audio/wav", json!({ "blob": "AQID" })),
        ("app://one", "text/x-own", json!({ "text": "of its own" })),
    ] {
        let mut expected = json!({ "uri": uri, "mimeType": mime });
        expected.as_object_mut().expect("an object").extend(body.as_object().cloned().unwrap_or_default());
        assert_eq!(contents(&client, uri).await, json!([expected]), "{uri}");
    }
}

/// Reading Resources: "Servers MAY return multiple resource contents", each with its own address and MIME type.
#[tokio::test]
async fn several_contents_have_their_own_addresses() {
    let client = resources();
    assert_eq!(
        contents(&client, "app://folder").await,
        json!([
            { "uri": "app://folder/a", "mimeType": "text/x-folder", "text": "a" },
            { "uri": "app://folder/b", "mimeType": "image/png", "blob": "AQ==" },
            { "uri": "app://folder", "mimeType": "text/x-folder", "text": "the folder" },
        ])
    );
    assert_eq!(
        contents(&client, "app://mixed").await,
        json!([
            { "uri": "app://mixed/a", "mimeType": "text/plain", "text": "a" },
            { "uri": "app://mixed/b", "mimeType": "application/octet-stream", "blob": "AQ==" },
        ])
    );
    assert_eq!(contents(&client, "app://empty").await, json!([]));
}

/// Error Handling: "If the requested resource does not exist, servers MUST return […] `-32602`", with `data.uri`.
#[tokio::test]
async fn a_resource_that_does_not_exist_is_invalid_params() {
    let client = resources();
    for uri in ["file:///nonexistent.txt", "app://maybe", "app://text/", "app://TEXT", ""] {
        assert_eq!(
            error(&client, "resources/read", json!({ "uri": uri })).await,
            json!({ "code": -32602, "message": "Resource not found", "data": { "uri": uri } })
        );
    }
    let templates = templates();
    for uri in ["db://orders/rows/100", "db://orders/rows", "db://orders/rows/1/2", "search://other"] {
        assert_eq!(
            error(&templates, "resources/read", json!({ "uri": uri })).await,
            json!({ "code": -32602, "message": "Resource not found", "data": { "uri": uri } })
        );
    }
}

/// Error Handling: "Servers SHOULD return `-32603` for internal errors."
#[tokio::test]
async fn a_failure_is_an_internal_error() {
    let client = resources();
    assert_eq!(
        error(&client, "resources/read", json!({ "uri": "app://fails" })).await,
        json!({ "code": -32603, "message": "invalid utf-8 sequence of 1 bytes from index 0" })
    );
    assert_eq!(
        error(&client, "resources/read", json!({ "uri": "app://refuses" })).await,
        json!({ "code": 1234, "message": "of my own" })
    );
    assert_eq!(
        error(&client, "resources/read", json!({ "uri": "app://slow" })).await,
        json!({ "code": -32603, "message": "`slow` did not finish within 20ms and was cancelled" })
    );
    assert_eq!(
        error(&client, "resources/read", json!({})).await,
        json!({ "code": -32602, "message": "Invalid params: `params.uri` is missing" })
    );
    assert_eq!(
        error(&client, "resources/read", json!({ "uri": ["a"] })).await,
        json!({ "code": -32602, "message": "Invalid params: `params.uri` must be a string, not an array" })
    );
}

/// Resource Templates: `uriTemplate` in the place of `uri`, in a list of their own.
#[tokio::test]
async fn templates_are_listed_apart() {
    let client = templates();
    assert_eq!(
        listed(&client, "resourceTemplates", "row").await,
        json!({
            "uriTemplate": "db://{table}/rows/{id}",
            "name": "row",
            "title": "Row",
            "description": "A row by primary key.",
            "mimeType": "application/json",
        })
    );
    let mut templates = names(&client, "resourceTemplates").await;
    templates.sort();
    assert_eq!(templates, ["ratio", "rest", "row", "search", "word"]);
    assert_eq!(names(&resources(), "resources").await.len(), 19);
}

/// Listing Resources: what a template's `list` function gives stands among the resources, for this client alone.
#[tokio::test]
async fn a_list_function_lists_what_a_template_stands_for() {
    let client = templates();
    assert_eq!(
        result(&client, "resources/list", json!({})).await,
        json!({
            "resources": [
                {
                    "uri": "db://orders/rows/1", "name": "1", "title": "ExampleClient",
                    "mimeType": "application/json",
                },
                { "uri": "db://orders/rows/2", "name": "second", "mimeType": "text/plain" },
            ],
            "ttlMs": 0,
            "cacheScope": "private",
        })
    );
    assert_eq!(
        error(&self::client("resources::broken_list"), "resources/list", json!({})).await,
        json!({ "code": -32603, "message": "the index is gone" })
    );
}

/// Resource Templates: variables are typed.
#[tokio::test]
async fn variables_are_typed() {
    let client = templates();
    assert_eq!(text(&client, "db://orders/rows/-7").await, "orders -7");
    assert_eq!(text(&client, "ratio://0.5/true").await, "0.5 true");
    let refusals = [
        (
            "db://orders/rows/x",
            "Resource not found: The call to `row` has a bad argument:\n\
             - argument `id`: got \"x\", expected an integer",
        ),
        (
            "ratio://1.5/maybe",
            "Resource not found: The call to `ratio` has 2 bad arguments:\n\
             - argument `ratio`: got 1.5, expected a number from 0.0 to 1.0\n\
             - argument `flag`: got \"maybe\", expected true or false",
        ),
    ];
    for (uri, message) in refusals {
        assert_eq!(
            error(&client, "resources/read", json!({ "uri": uri })).await,
            json!({ "code": -32602, "message": message, "data": { "uri": uri } })
        );
    }
}

/// RFC 6570, Form-Style Query Expansion: each in any order, or not at all.
#[tokio::test]
async fn query_variables_may_be_left_out() {
    let client = templates();
    for (query, expected) in [
        ("", "None 10 None None"),
        ("?query=a%20b", "Some(\"a b\") 10 None None"),
        ("?limit=5&query=x", "Some(\"x\") 5 None None"),
        ("?exact=true&format=csv", "None 10 Some(true) Some(Csv)"),
        ("?format=json", "None 10 None Some(Json)"),
        ("?query=", "Some(\"\") 10 None None"),
        ("?query=a%26b%3Dc", "Some(\"a&b=c\") 10 None None"),
    ] {
        assert_eq!(text(&client, &format!("search://items{query}")).await, expected, "{query}");
    }
}

/// RFC 6570: what a variable holds was percent-encoded.
#[tokio::test]
async fn variables_are_percent_decoded() {
    let client = templates();
    for (uri, expected) in [
        ("word://caf%C3%A9", "<café>"),
        ("word://a%2Fb", "<a/b>"),
        ("word://100%25", "<100%>"),
        ("word://%22quoted%22", "<\"quoted\">"),
        ("word://a%2Bb", "<a+b>"),
        // People and models write addresses by hand, and leave unencoded what separates nothing.
        ("word://a+b", "<a+b>"),
        ("word://mona@example.com", "<mona@example.com>"),
    ] {
        assert_eq!(text(&client, uri).await, expected, "{uri}");
    }
    // Bytes that are no UTF-8, a percent sign that encodes nothing, and what `{word}` would have encoded.
    for uri in ["word://%FF", "word://50%", "word://%zz", "word://a/b", "word://a,b", "word://"] {
        assert_eq!(error(&client, "resources/read", json!({ "uri": uri })).await["code"], -32602, "{uri}");
    }
}

/// The resource of this very address goes before a template, and the more specific template before the other.
#[tokio::test]
async fn the_most_specific_one_is_read() {
    let client = resources();
    assert_eq!(text(&client, "files://docs/index").await, "index");
    assert_eq!(text(&client, "files://docs/guide").await, "doc guide");
    assert_eq!(text(&client, "files://docs/deep/guide").await, "any docs/deep/guide");
    assert_eq!(text(&client, "files://src/main.rs").await, "any src/main.rs");
}

/// Security Considerations: "Servers MUST sanitize file paths to prevent directory traversal attacks".
#[tokio::test]
async fn a_safe_path_refuses_to_climb() {
    let client = resources();
    for uri in
        ["files://../etc/passwd", "files://a/%2e%2e/b", "files://a/%252e%252e/b", "files:///etc/passwd"]
    {
        let error = error(&client, "resources/read", json!({ "uri": uri })).await;
        assert_eq!((&error["code"], &error["data"]), (&json!(-32602), &json!({ "uri": uri })), "{uri}");
    }
}
