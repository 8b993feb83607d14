//! Every type that a function can return.
#![deny(warnings)]

use std::borrow::Cow;
use std::sync::Arc;

use mcp_runtime::prelude::*;
use mcp_runtime::{Error, PromptResult, ResourceContents};

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Sum {
    sum: i64,
}

macro_rules! tools {
    ($($name:ident: $ty:ty = $value:expr;)*) => {
        $(
            #[tool]
            fn $name() -> $ty {
                $value
            }
        )*
    };
}

tools! {
    nothing: () = ();
    text: String = String::new();
    fixed: &'static str = "a";
    cow: Cow<'static, str> = "a".into();
    number: u64 = 1;
    fraction: f64 = 0.5;
    truth: bool = true;
    structured: Json<Sum> = Json(Sum { sum: 1 });
    image: Image = Image::new(vec![], "image/png");
    audio: Audio = Audio::new(vec![], "audio/wav");
    content: Content = Content::text("a");
    contents: Vec<Content> = vec![];
    pair: (String, Image) = (String::new(), Image::new(vec![], "image/png"));
    maybe: Option<String> = None;
    fallible: std::result::Result<String, String> = Err("no".into());
    io: std::io::Result<Json<Sum>> = Ok(Json(Sum { sum: 1 }));
    prelude: Result<String> = Ok(std::fs::read_to_string("/nowhere")?);
    protocol: std::result::Result<(), Error> = Ok(());
}

#[resource("app://text")]
fn resource_text() -> String {
    String::new()
}

#[resource("app://bytes", mime = "image/png", size = 3, audience(user, assistant), priority = 0.8)]
async fn resource_bytes() -> Result<Vec<u8>> {
    Ok(vec![1, 2, 3])
}

#[resource("app://json", priority = 1, audience(user))]
fn resource_json() -> Json<Sum> {
    Json(Sum { sum: 1 })
}

#[resource("app://contents")]
fn resource_contents() -> Vec<ResourceContents> {
    vec![ResourceContents::text("app://contents/1", "a")]
}

#[resource("app://shared")]
fn resource_shared() -> Arc<str> {
    "a".into()
}

#[prompt]
fn prompt_text() -> &'static str {
    "a"
}

#[prompt]
async fn prompt_messages() -> Result<Vec<Message>> {
    Ok(vec![Message::user("a")])
}

#[prompt]
fn prompt_result() -> PromptResult {
    PromptResult { description: None, messages: vec![Message::user("a")] }
}

fn main() {}
