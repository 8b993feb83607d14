//! What the attributes say arrives where it belongs: in the lists, and in what a function is called with.

use mcp_runtime::Server;
use mcp_runtime::testing::Client;
use serde_json::{Value, json};

mod served {
    use std::num::ParseIntError;
    use std::str::FromStr;

    use mcp_runtime::prelude::*;
    use serde_json::{Value, json};

    /// Only `FromStr`.
    #[derive(Debug)]
    #[allow(dead_code, reason = "shown by `Debug`")]
    struct Id(u64);

    impl FromStr for Id {
        type Err = ParseIntError;

        fn from_str(text: &str) -> std::result::Result<Self, ParseIntError> {
            text.parse().map(Self)
        }
    }

    #[derive(Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Region {
        Eu,
        Us,
    }

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    #[allow(dead_code, reason = "shown by `Debug`")]
    struct Page {
        limit: u8,
        offset: Option<u8>,
    }

    fn color() -> Value {
        json!({"type": "string", "pattern": "^#"})
    }

    /// Everything.
    ///
    /// In two paragraphs.
    #[tool(
        name = "every.thing",
        title = "Everything",
        read_only,
        destructive = false,
        icon("https://example.com/a.png", mime = "image/png", sizes("48x48"), theme = "dark"),
        meta("com.example/list" = [1, true, "x"]),
        timeout = "1m"
    )]
    #[allow(clippy::too_many_arguments, reason = "one of each")]
    fn everything(
        /// How many days.
        #[arg(default = 3, range(1..=14), examples(1, 7))]
        days: u8,
        #[arg(name = "where", header = "Region", default = Region::Eu)] region: Region,
        #[arg(length(..3), default = "abc")] text: &str,
        words: &[String],
        #[arg(schema = color)] color: Option<String>,
        #[arg(range(0.0..1.0), description = "Share.")]
        /// Not this.
        share: Option<f64>,
        r#type: Option<bool>,
    ) -> String {
        format!("{days} {region:?} {text} {words:?} {color:?} {share:?} {type:?}")
    }

    #[tool(strict)]
    async fn strict(#[arg(flatten)] page: Page, b: i64) -> String {
        std::future::ready(()).await;
        format!("{page:?} {b}")
    }

    #[tool(strict)]
    fn strict_without_parameters() {}

    /// A row.
    #[resource("db://{id}/{region}{?limit,page}", mime = "text/plain", audience(user), priority = 0.5, list = rows)]
    fn row(id: Id, region: Region, limit: Option<u8>, #[arg(default = 1)] page: u8) -> String {
        format!("{id:?} {region:?} {limit:?} {page}")
    }

    fn rows() -> Vec<ResourceLink> {
        vec![ResourceLink::new("db://1/eu").name("first")]
    }

    #[prompt(title = "Ask")]
    #[allow(clippy::unused_async, reason = "how an `async` function is served")]
    async fn ask(
        id: Id,
        /// In the given region.
        region: Option<Region>,
        other: Option<Id>,
        #[arg(default = "x".to_owned())] rest: String,
        ctx: &Context,
    ) -> String {
        let _ = ctx;
        format!("{id:?} {region:?} {other:?} {rest}")
    }
}

fn client() -> Client {
    Client::new(Server::new()).unwrap()
}

async fn item(list: &str, name: &str) -> Value {
    client().list(list).await.unwrap().into_iter().find(|item| item["name"] == name).unwrap()
}

#[tokio::test]
async fn a_tool_says_what_its_attribute_says() {
    let tool = item("tools", "every.thing").await;
    assert_eq!(tool["title"], "Everything");
    assert_eq!(tool["description"], "Everything.\n\nIn two paragraphs.");
    assert_eq!(tool["annotations"], json!({"readOnlyHint": true, "destructiveHint": false}));
    assert_eq!(
        tool["icons"],
        json!([{
            "src": "https://example.com/a.png", "mimeType": "image/png", "sizes": ["48x48"], "theme": "dark"
        }])
    );
    assert_eq!(tool["_meta"], json!({"com.example/list": [1, true, "x"]}));
    assert_eq!(
        tool["inputSchema"]["properties"],
        json!({
            "days": {
                "type": "integer", "minimum": 1, "maximum": 14, "examples": [1, 7], "default": 3,
                "description": "How many days."
            },
            "where": {"type": "string", "enum": ["eu", "us"], "default": "eu", "x-mcp-header": "Region"},
            "text": {"type": "string", "maxLength": 2, "default": "abc"},
            "words": {"type": "array", "items": {"type": "string"}},
            "color": {"type": "string", "pattern": "^#"},
            "share": {"type": "number", "minimum": 0.0, "exclusiveMaximum": 1.0, "description": "Share."},
            "type": {"type": "boolean"}
        })
    );
    assert_eq!(tool["inputSchema"]["required"], json!(["words"]));
}

#[tokio::test]
async fn defaults_names_and_slices_reach_the_function() {
    let answer = client().call("every.thing", json!({"words": ["a"]})).await.unwrap();
    assert_eq!(answer.text(), r#"3 Eu abc ["a"] None None None"#);
    let given = json!({"words": [], "where": "us", "days": 14, "text": "é", "share": 0.5, "type": true, "color": "#1"});
    let answer = client().call("every.thing", given).await.unwrap();
    assert_eq!(answer.text(), r##"14 Us é [] Some("#1") Some(0.5) Some(true)"##);
}

#[tokio::test]
async fn constraints_are_enforced_together() {
    let given = json!({"words": [], "days": 15, "text": "long", "share": 1.0, "color": "red"});
    let answer = client().call("every.thing", given).await.unwrap();
    assert!(answer.is_error);
    for name in ["days", "text", "share", "color"] {
        assert!(answer.text().contains(&format!("`{name}`")), "{}", answer.text());
    }
}

#[tokio::test]
async fn a_strict_tool_refuses_what_it_does_not_know() {
    let right = client().call("strict", json!({"limit": 1, "b": 2})).await.unwrap();
    assert_eq!(right.text(), "Page { limit: 1, offset: None } 2");
    for (name, given) in [
        ("strict", json!({"limit": 1, "b": 2, "ofset": 3})),
        ("strict_without_parameters", json!({"ofset": 3})),
    ] {
        let answer = client().call(name, given).await.unwrap();
        assert!(answer.is_error && answer.text().contains("ofset"), "{}", answer.text());
    }
}

#[tokio::test]
async fn variables_are_typed() {
    let template = item("resourceTemplates", "row").await;
    assert_eq!(template["uriTemplate"], "db://{id}/{region}{?limit,page}");
    assert_eq!(template["annotations"], json!({"audience": ["user"], "priority": 0.5}));
    let read = async |uri: &str| {
        client().read(uri).await.map(|read| serde_json::to_value(&read.contents[0]).unwrap())
    };
    assert_eq!(read("db://7/us").await.unwrap()["text"], "Id(7) Us None 1");
    assert_eq!(read("db://7/eu?page=2&limit=3").await.unwrap()["text"], "Id(7) Eu Some(3) 2");
    assert_eq!(read("db://x/eu").await.unwrap_err().code(), -32602);
    assert_eq!(item("resources", "first").await["uri"], "db://1/eu");
}

#[tokio::test]
async fn prompt_arguments_are_typed() {
    let prompt = item("prompts", "ask").await;
    assert_eq!(
        prompt["arguments"],
        json!([
            {"name": "id", "required": true},
            {"name": "region", "description": "In the given region.", "required": false},
            {"name": "other", "required": false},
            {"name": "rest", "required": false}
        ])
    );
    let answer = client().prompt("ask", json!({"id": "7", "region": "us"})).await.unwrap();
    assert_eq!(answer.messages[0].content.as_text(), Some("Id(7) Some(Us) None x"));
    let answer = client().prompt("ask", json!({"id": "7", "other": "8", "rest": "y"})).await.unwrap();
    assert_eq!(answer.messages[0].content.as_text(), Some("Id(7) None Some(Id(8)) y"));
    assert_eq!(
        client().prompt("ask", json!({"id": "7", "other": "seven"})).await.unwrap_err().code(),
        -32602
    );
}
