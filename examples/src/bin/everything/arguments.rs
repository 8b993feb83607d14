//! What arguments can be, and what can be said about them.

use std::collections::BTreeMap;

use mcp_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Arguments that need not be given.
#[tool(read_only)]
fn arguments_optional(
    /// Null, or left out.
    note: Option<&str>,
    /// Text has a default in quotes.
    #[arg(default = "metric")]
    units: String,
    /// Any expression does.
    #[arg(default = 60 * 60)]
    seconds: u32,
    /// A list may be empty.
    #[arg(default = Vec::new())]
    tags: Vec<String>,
) -> String {
    format!("note {note:?}, units {units:?}, seconds {seconds}, tags {tags:?}")
}

/// Arguments within bounds; what the schema says is checked before the function runs.
#[tool(read_only)]
fn arguments_bounded(
    /// From one to six.
    #[arg(range(1..=6), default = 1)]
    die: u8,
    /// Not negative, and less than one.
    #[arg(range(0.0..1.0), default = 0.5)]
    ratio: f64,
    /// One to three words.
    #[arg(length(1..=3), default = vec!["one".to_owned()])]
    words: Vec<String>,
    /// A reference such as AB-123.
    #[arg(pattern = r"^[A-Z]{2}-\d+$", examples("AB-123"), default = "AB-1")]
    reference: String,
    /// An address.
    #[arg(format = "email", default = "someone@example.com")]
    email: String,
) -> String {
    format!("{die}, {ratio}, {words:?}, {reference}, {email}")
}

/// Arguments that are lent for the call, not copied.
#[tool(read_only)]
fn arguments_borrowed(title: &str, subtitle: Option<&str>, numbers: &[f64]) -> String {
    let sum: f64 = numbers.iter().sum();
    format!("{title} ({}): {sum}", subtitle.unwrap_or("no subtitle"))
}

/// A place on a page.
#[derive(Debug, Deserialize, JsonSchema)]
struct Page {
    /// The number of the page, from 1.
    #[serde(default = "first_page")]
    #[schemars(range(min = 1))]
    page: u32,
    /// How many items a page has.
    #[serde(default = "ten")]
    per_page: u32,
}

fn first_page() -> u32 {
    1
}

fn ten() -> u32 {
    10
}

/// Arguments that several tools share, as the fields of a struct.
#[tool(read_only)]
fn arguments_flattened(query: &str, #[arg(flatten)] page: Page) -> String {
    format!("{query:?}: items {} to {}", (page.page - 1) * page.per_page + 1, page.page * page.per_page)
}

/// A form, or what is in it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Shape {
    /// All points at a distance.
    Circle {
        /// The distance.
        radius: f64,
    },
    /// Four corners.
    Rectangle {
        /// From left to right.
        width: f64,
        /// From top to bottom.
        height: f64,
    },
    /// Several at once.
    Group {
        /// The parts.
        parts: Vec<Shape>,
    },
}

impl Shape {
    fn area(&self) -> f64 {
        match self {
            Self::Circle { radius } => std::f64::consts::PI * radius * radius,
            Self::Rectangle { width, height } => width * height,
            Self::Group { parts } => parts.iter().map(Self::area).sum(),
        }
    }
}

/// Arguments with a structure: enums, maps, and types that contain themselves.
#[tool(read_only)]
fn arguments_nested(
    shape: Shape,
    /// Numbers by name.
    #[arg(default = BTreeMap::new())]
    labels: BTreeMap<String, i64>,
) -> String {
    format!("area {:.2}, labels {labels:?}", shape.area())
}

/// Arguments whose names or descriptions do not fit Rust.
#[tool(read_only)]
fn arguments_renamed(
    #[arg(name = "type", description = "What kind: any word.")] kind: &str,
    /// A word of Rust goes by its plain name.
    r#match: Option<bool>,
) -> String {
    format!("{kind}, {match:?}")
}

/// Refuse arguments that are not there, in place of ignoring them.
#[tool(strict, read_only)]
fn arguments_strict(#[arg(default = 0)] known: i64) -> i64 {
    known
}

/// An argument with a schema that was written by hand.
#[tool(read_only)]
fn arguments_by_hand(#[arg(schema = color_schema)] color: String) -> String {
    color
}

fn color_schema() -> Value {
    json!({ "type": "string", "description": "A colour as #rrggbb.", "pattern": "^#[0-9a-f]{6}$", "default": "#000000" })
}

/// Where data may be kept.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Region {
    /// In the European Union.
    EuWest,
    /// In the United States.
    UsEast,
}

/// Arguments that HTTP clients repeat in headers, so that a gateway can route by them.
#[tool(read_only)]
fn typed_headers(
    #[arg(header = "Region")] region: Option<Region>,
    #[arg(header = "Tenant-Id")] tenant: Option<u32>,
    #[arg(header = "Dry-Run", default = false)] dry_run: bool,
) -> String {
    format!("region {region:?}, tenant {tenant:?}, dry run {dry_run}")
}
