//! Resources and templates that come and go.

use mcp_runtime::{Change, Completions, Context, DynamicResource, Json, ResourceBody, Role, Variables};
use serde_json::json;

use crate::{listed, running};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Page {
    book: String,
    number: u32,
    lines: Option<u8>,
}

fn shown(variables: &Variables) -> String {
    variables.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}

fn template(uri: &'static str) -> DynamicResource {
    DynamicResource::new(uri, |variables: Variables, _: Context| async move { shown(&variables) })
}

async fn read(client: &mcp_runtime::testing::Client, uri: &str) -> String {
    let mut read = client.read(uri).await.unwrap_or_else(|error| panic!("{error}"));
    match read.contents.remove(0).body {
        ResourceBody::Text { text } => text,
        ResourceBody::Blob { .. } => panic!("no text"),
    }
}

#[tokio::test]
async fn a_resource_is_there_until_it_is_removed() {
    let (client, handle, published) = running();
    let today = DynamicResource::new("notes://today", |_: Context| async { "Buy milk." })
        .name("today")
        .title("Today")
        .mime("text/markdown")
        .size(9)
        .audience(Role::User)
        .priority(0.5);
    handle.add_resource(today).unwrap();
    assert_eq!(published.take(), [Change::Resources]);
    assert_eq!(
        client.list("resources").await.unwrap()[1],
        json!({
            "uri": "notes://today",
            "name": "today",
            "title": "Today",
            "mimeType": "text/markdown",
            "size": 9,
            "annotations": { "audience": ["user"], "priority": 0.5 },
        })
    );
    let contents = client.read("notes://today").await.unwrap().contents;
    assert_eq!(contents[0].mime_type.as_deref(), Some("text/markdown"));
    // However the client spells it.
    assert_eq!(read(&client, "notes://toda%79").await, "Buy milk.");

    assert!(handle.remove_resource("notes://toda%79"));
    assert_eq!(published.take(), [Change::Resources]);
    assert_eq!(listed(&client, "resources").await, ["notes://linked"]);
    let error = client.read("notes://today").await.unwrap_err();
    assert_eq!((error.code(), error.data()), (-32602, Some(&json!({ "uri": "notes://today" }))));
    assert!(!handle.remove_resource("notes://today"));
    assert!(!handle.remove_resource("notes://linked"));
    assert_eq!(published.take(), []);
}

#[tokio::test]
async fn a_template_has_typed_variables() {
    let (client, handle, published) = running();
    let page = |page: Page, _: Context| async move {
        Json(json!({ "book": page.book, "number": page.number, "lines": page.lines }))
    };
    handle.add_resource(DynamicResource::new("book://{book}/{number}{?lines}", page)).unwrap();
    assert_eq!(published.take(), [Change::Resources]);
    assert_eq!(
        listed(&client, "resourceTemplates").await,
        ["book://{book}/{number}{?lines}", "db://{table}/rows/{id}"]
    );
    assert_eq!(read(&client, "book://7/12").await, r#"{"book":"7","number":12,"lines":null}"#);
    assert_eq!(read(&client, "book://a%20b/1?lines=9").await, r#"{"book":"a b","number":1,"lines":9}"#);
    let error = client.read("book://7/twelve").await.unwrap_err();
    assert_eq!(error.code(), -32602);
    assert!(error.message().contains("`number`: got \"twelve\""), "{error}");
    assert!(handle.remove_resource("book://{book}/{number}{?lines}"));
    assert_eq!(listed(&client, "resourceTemplates").await, ["db://{table}/rows/{id}"]);
}

/// A fixed address comes before templates, and of these the most specific is first, whoever made it.
#[tokio::test]
async fn the_most_specific_answers() {
    let (client, handle, _) = running();
    handle.add_resource(template("db://{table}/rows/first{id}")).unwrap();
    handle.add_resource(template("db://orders/rows/{id}")).unwrap();
    let fixed = DynamicResource::new("db://orders/rows/17", |_: Context| async { "fixed" });
    handle.add_resource(fixed).unwrap();
    assert_eq!(read(&client, "db://orders/rows/17").await, "fixed");
    assert_eq!(read(&client, "db://orders/rows/18").await, "id=18");
    assert_eq!(read(&client, "db://people/rows/18").await, "people 18");
    assert!(handle.remove_resource("db://orders/rows/17"));
    assert_eq!(read(&client, "db://orders/rows/17").await, "id=17");
    assert!(handle.remove_resource("db://orders/rows/{id}"));
    assert_eq!(read(&client, "db://orders/rows/17").await, "orders 17");
}

#[tokio::test]
async fn a_template_lists_and_completes() {
    let (client, handle, published) = running();
    let day = template("day://{day}")
        .mime("text/plain")
        .list(|_: Context| async { ["day://monday", "day://tuesday"] })
        .complete("day", |typed: String, _: Context| async move {
            Completions::matching(&typed, ["monday", "tuesday"])
        });
    handle.add_resource(day).unwrap();
    assert_eq!(listed(&client, "resources").await, ["notes://linked", "day://monday", "day://tuesday"]);
    let params = json!({
        "ref": { "type": "ref/resource", "uri": "day://{day}" },
        "argument": { "name": "day", "value": "tu" },
    });
    let result = client.request("completion/complete", params).await.unwrap();
    assert_eq!(result["completion"]["values"], json!(["tuesday"]));
    published.take();
    handle.resources_changed();
    handle.resource_updated("day://monday");
    assert_eq!(published.take(), [Change::Resources, Change::Resource("day://monday".into())]);
}
