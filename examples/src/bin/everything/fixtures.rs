//! What the conformance suite of revision 2026-07-28 calls, with the texts that it prescribes.

use std::time::Duration;

use mcp_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{PIXEL, SILENCE};

/// Give a text.
#[tool]
fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Give an image.
#[tool]
fn test_image_content() -> Image {
    Image::png(PIXEL)
}

/// Give a sound.
#[tool]
fn test_audio_content() -> Audio {
    Audio::wav(SILENCE)
}

/// Give a resource, whole.
#[tool]
fn test_embedded_resource() -> EmbeddedResource {
    let text = "This is an embedded resource content.";
    EmbeddedResource::new(ResourceContents::text("test://embedded-resource", text).mime_type("text/plain"))
}

/// Give a text, an image and a resource.
#[tool]
fn test_multiple_content_types() -> (&'static str, Image, ResourceContents) {
    let json = r#"{"test":"data","value":123}"#;
    let resource =
        ResourceContents::text("test://mixed-content-resource", json).mime_type("application/json");
    ("Multiple content types test:", Image::png(PIXEL), resource)
}

/// Fail.
#[tool]
fn test_error_handling() -> Result<String> {
    Err("This tool intentionally returns an error for testing".into())
}

/// Say how far the work is, three times.
#[tool]
async fn test_tool_with_progress(ctx: &Context) -> &'static str {
    for done in [0, 50, 100] {
        if done > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        ctx.progress(f64::from(done), 100.0, format!("{done} of 100"));
    }
    "Progress was reported in three steps."
}

/// Give back what an argument with a header said.
#[tool]
fn test_header_param(
    /// Any text; over HTTP, the header `Mcp-Param-Region` repeats it.
    #[arg(header = "Region")]
    region: Option<String>,
) -> String {
    region.unwrap_or_else(|| "no region".to_owned())
}

/// How to reach someone.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Contact {
    name: Option<String>,
    address: Option<Address>,
    phone: Option<String>,
    email: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Address {
    street: Option<String>,
    city: Option<String>,
}

/// Tool with JSON Schema 2020-12 features
#[tool(input_schema = contact_schema)]
fn json_schema_2020_12_tool(#[arg(flatten)] contact: Contact) -> String {
    let Contact { name, address, phone, email } = contact;
    let name = name.as_deref().unwrap_or("someone");
    let city = address.and_then(|Address { street, city }| city.or(street));
    let place = city.map(|city| format!(" in {city}")).unwrap_or_default();
    let by = phone.or(email).unwrap_or_else(|| "no means".to_owned());
    format!("{name}{place} is reached by {by}")
}

pub(crate) fn contact_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } }
            }
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" }
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false
    })
}

/// A text that never changes.
#[resource("test://static-text", mime = "text/plain")]
fn static_text() -> &'static str {
    "This is the content of the static text resource."
}

/// An image that never changes.
#[resource("test://static-binary", mime = "image/png")]
fn static_binary() -> &'static [u8] {
    PIXEL
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data {
    id: String,
    template_test: bool,
    #[serde(rename = "data")]
    text: String,
}

/// Data by id.
#[resource("test://template/{id}/data", mime = "application/json")]
fn template_data(id: String) -> Json<Data> {
    let text = format!("Data for ID: {id}");
    Json(Data { id, template_test: true, text })
}

/// A prompt of one message.
#[prompt]
fn test_simple_prompt() -> &'static str {
    "This is a simple prompt for testing."
}

/// A prompt with two arguments.
#[prompt]
fn test_prompt_with_arguments(
    /// The first; it completes.
    #[arg(complete = test_values)]
    arg1: &str,
    /// The second.
    arg2: &str,
) -> String {
    format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")
}

fn test_values(typed: &str) -> Completions {
    Completions::matching(typed, ["testValue1", "testValue2", "paris", "park", "party"])
}

/// A prompt with a resource in it.
#[prompt]
fn test_prompt_with_embedded_resource(
    /// The address of the resource.
    #[arg(name = "resourceUri")]
    resource_uri: &str,
) -> [Message; 2] {
    let text = "Embedded resource content for testing.";
    [
        Message::user(ResourceContents::text(resource_uri, text).mime_type("text/plain")),
        Message::user("Please process the embedded resource above."),
    ]
}

/// A prompt with an image in it.
#[prompt]
fn test_prompt_with_image() -> [Message; 2] {
    [Message::user(Image::png(PIXEL)), Message::user("Please analyze the image above.")]
}
