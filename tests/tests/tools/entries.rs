//! A tool for each thing that a tool can return, and for each way to fail.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use mcp_runtime::prelude::*;
use mcp_runtime::{Annotations, Error, Role};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

#[tool]
fn unit() {}

#[tool]
fn string() -> String {
    "a \"quoted\"\nline\u{1}".to_owned()
}

#[tool]
fn literal() -> &'static str {
    "literal"
}

#[tool]
fn borrowed(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

#[tool]
fn lent(text: &str) -> &str {
    text
}

#[tool]
fn shared() -> Arc<str> {
    "shared".into()
}

#[tool]
fn boxed() -> Box<str> {
    "boxed".into()
}

#[tool]
fn integer() -> i64 {
    -5
}

#[tool]
fn huge() -> u128 {
    u128::MAX
}

#[tool]
fn float() -> f64 {
    0.1
}

#[tool]
fn boolean() -> bool {
    true
}

#[tool]
fn character() -> char {
    'ß'
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Weather {
    /// Temperature in celsius.
    temperature: f64,
    conditions: Option<String>,
}

fn weather() -> Weather {
    Weather { temperature: 22.5, conditions: None }
}

#[tool]
fn json_struct() -> Json<Weather> {
    Json(weather())
}

#[tool]
fn json_list() -> Json<Vec<u8>> {
    Json(vec![1, 2])
}

#[tool]
fn json_text() -> Json<&'static str> {
    Json("text")
}

#[tool]
fn json_option(known: bool) -> Option<Json<Weather>> {
    known.then(|| Json(weather()))
}

#[tool]
fn json_or_error(fail: bool) -> Result<Json<Weather>> {
    if fail { Err("no weather".into()) } else { Ok(Json(weather())) }
}

#[tool]
fn json_and_text() -> (&'static str, Json<Weather>) {
    ("It is warm.", Json(weather()))
}

#[tool]
fn json_twice() -> (Json<u8>, Json<u8>) {
    (Json(1), Json(2))
}

#[tool]
fn json_many() -> Vec<Json<u8>> {
    vec![Json(1), Json(2)]
}

#[tool]
fn image() -> Image {
    Image::png([0x89, 0x50, 0x4e])
}

#[tool]
fn audio() -> Audio {
    Audio::wav(*b"RIFF")
}

#[tool]
fn link() -> ResourceLink {
    ResourceLink::new("file:///project/src/main.rs")
        .description("Primary application entry point")
        .mime_type("text/x-rust")
}

#[tool]
fn embedded() -> EmbeddedResource {
    EmbeddedResource::new(
        ResourceContents::text("file:///project/src/main.rs", "fn main() {}").mime_type("text/x-rust"),
    )
}

#[tool]
fn embedded_bytes() -> ResourceContents {
    ResourceContents::bytes("file:///example.png", [1, 2, 3]).mime_type("image/png")
}

#[tool]
fn content() -> Content {
    Content::text("for the user").annotate(Annotations {
        audience: vec![Role::User],
        priority: Some(0.9),
        last_modified: Some("2025-05-03T14:30:00Z".to_owned()),
    })
}

#[tool]
fn contents() -> Vec<Content> {
    vec!["a chart:".into(), Image::jpeg([0xff]).into()]
}

#[tool]
fn strings() -> Vec<String> {
    vec!["one".to_owned(), "two".to_owned()]
}

#[tool]
fn array() -> [i32; 2] {
    [1, 2]
}

#[tool]
fn empty() -> Vec<String> {
    Vec::new()
}

#[tool]
fn tuple() -> (String, Image, Option<&'static str>, Vec<u8>) {
    ("text".to_owned(), Image::png([0]), None, vec![7, 8])
}

#[tool]
fn option(some: bool) -> Option<String> {
    some.then(|| "some".to_owned())
}

#[tool]
fn by_hand() -> ToolResult {
    ToolResult::new()
        .content("for the model")
        .content(Image::png([1]))
        .structured(json!({ "n": 1 }))
        .meta("com.example/cost", 3)
        .meta("com.example/unit", "cent")
}

#[tool]
fn failed_by_hand() -> ToolResult {
    ToolResult::error("not today").content("try again tomorrow").meta("com.example/retry", true)
}

#[tool]
fn fails_with_string() -> Result<(), String> {
    Err("a string".to_owned())
}

#[tool]
fn fails_with_str() -> Result<i32, &'static str> {
    Err("a literal")
}

/// An error with a cause.
#[derive(Debug)]
struct Upstream(std::num::ParseIntError);

impl fmt::Display for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("upstream sent nonsense")
    }
}

impl std::error::Error for Upstream {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

#[derive(Debug)]
struct Outer(Upstream);

impl fmt::Display for Outer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("could not fetch")
    }
}

impl std::error::Error for Outer {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

fn upstream() -> Upstream {
    Upstream("x".parse::<i32>().expect_err("no number"))
}

#[tool]
fn fails_with_chain() -> Result<String, Outer> {
    Err(Outer(upstream()))
}

#[tool]
async fn fails_with_question_mark(text: String) -> Result<i32> {
    tokio::task::yield_now().await;
    Ok(text.parse::<i32>()?)
}

#[derive(Debug)]
struct Repeating(std::io::Error);

impl fmt::Display for Repeating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "reading failed: {}", self.0)
    }
}

impl std::error::Error for Repeating {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

#[tool]
fn fails_with_repeated_cause() -> Result<(), Repeating> {
    Err(Repeating(std::io::Error::other("disk on fire")))
}

#[tool]
fn fails_after_content() -> (&'static str, Result<&'static str, &'static str>) {
    ("so far so good", Err("then not"))
}

#[tool]
fn protocol_error() -> Result<(), Error> {
    Err(Error::new(1234, "of my own").with_data(json!({ "why": "because" })))
}

#[tool]
fn boxed_protocol_error() -> Result<()> {
    Err(Error::invalid_params("boxed"))?
}

#[derive(Debug)]
struct Wrapping(Error);

impl fmt::Display for Wrapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("wrapped")
    }
}

impl std::error::Error for Wrapping {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

#[tool]
fn wrapped_protocol_error() -> Result<(), Wrapping> {
    Err(Wrapping(Error::missing_capability(json!({ "sampling": {} }))))
}

struct Unserializable;

impl Serialize for Unserializable {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("the secret of the serializer"))
    }
}

impl JsonSchema for Unserializable {
    fn schema_name() -> Cow<'static, str> {
        "Unserializable".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object" })
    }
}

#[tool]
fn unserializable() -> Json<Unserializable> {
    Json(Unserializable)
}

#[tool(timeout = "20ms")]
async fn never() -> String {
    std::future::pending().await
}

#[tool(timeout = "20ms")]
fn blocks(ctx: &Context) -> String {
    while !ctx.is_cancelled() {
        std::thread::yield_now();
    }
    "too late".to_owned()
}
