//! What tools can return.

use std::borrow::Cow;

use mcp_runtime::prelude::*;
use mcp_runtime::{Annotations, Role};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::{PIXEL, SILENCE};

/// Nothing: that it is done is all there is to say.
#[tool]
fn result_nothing() {}

/// A number, as text.
#[tool]
fn result_number() -> f64 {
    0.5
}

/// Text that is borrowed where it can be.
#[tool]
fn result_text(loud: Option<bool>) -> Cow<'static, str> {
    let text = "all good";
    if loud.unwrap_or(false) { text.to_uppercase().into() } else { text.into() }
}

/// A measurement.
#[derive(Serialize, JsonSchema)]
struct Measurement {
    /// What was measured.
    name: &'static str,
    /// How much of it there is.
    value: f64,
    /// Said where it is known.
    unit: Option<&'static str>,
}

/// A typed result: for programs as an object with a schema, for models as text.
#[tool]
fn result_structured() -> Json<Measurement> {
    Json(Measurement { name: "temperature", value: 21.5, unit: Some("°C") })
}

/// A typed result, or nothing.
#[tool]
fn result_optional(#[arg(default = false)] found: bool) -> Option<Json<Measurement>> {
    found.then_some(Json(Measurement { name: "pulse", value: 60.0, unit: None }))
}

/// Blocks of several kinds.
#[tool]
fn result_blocks() -> (&'static str, Image, Audio, ResourceLink) {
    let link = ResourceLink::new("demo://manual").title("The manual").mime_type("text/markdown");
    ("a picture, a sound and a link:", Image::png(PIXEL), Audio::wav(SILENCE), link)
}

/// As many blocks as there are.
#[tool]
fn result_list(#[arg(default = 3, range(0..=10))] count: u8) -> Vec<String> {
    (1..=count).map(|n| format!("block {n}")).collect()
}

/// Blocks with hints on who they are for.
#[tool]
fn result_annotated() -> [Content; 2] {
    let hints = |role, priority| Annotations {
        audience: vec![role],
        priority: Some(priority),
        ..Annotations::default()
    };
    [
        Content::text("Everything was saved.").annotate(hints(Role::User, 1.0)),
        Content::text("revision 42, 17 rows, 3 ms").annotate(hints(Role::Assistant, 0.2)),
    ]
}

/// A result that is put together by hand.
#[tool]
fn result_by_hand() -> ToolResult {
    ToolResult::new()
        .content("3 of 4 were sent")
        .structured(json!({ "sent": 3, "failed": ["d@example.com"] }))
        .meta("com.example/took-ms", 12)
}
