//! Everything an attribute can say, other attributes around it, and lints that a user may have switched on.
#![deny(
    warnings,
    missing_docs,
    unused_qualifications,
    unreachable_pub,
    rust_2018_idioms,
    single_use_lifetimes,
    trivial_casts,
    unused_lifetimes,
    unused_results,
    non_ascii_idents
)]
#![forbid(unsafe_code)]

use mcp_runtime::prelude::*;
use serde_json::{Value, json};

fn schema() -> Value {
    json!({"type": "object"})
}

fn day() -> Value {
    json!({"type": "string"})
}

fn regions(typed: &str) -> Completions {
    Completions::matching(typed, ["eu", "us"])
}

async fn all(_: &Context) -> Vec<ResourceLink> {
    Vec::new()
}

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Region {
    Eu,
    Us,
}

mod inner {
    use mcp_runtime::prelude::*;

    /// In a module, and visible.
    #[tool(name = "inner.everything-1")]
    pub(crate) fn add(a: i64) -> i64 {
        a
    }
}

/// Before.
#[tool(
    name = "everything",
    title = "Everything",
    read_only = false,
    destructive,
    idempotent = false,
    open_world,
    icon("https://example.com/a.png", mime = "image/png", sizes("48x48", "any"), theme = "dark"),
    icon("data:image/png;base64,"),
    meta("com.example/text" = "a \"b\"\n", "com.example/n" = -1.5, "com.example/list" = [1, true, "x"], "plain" = 1),
    group = "all",
    timeout = "1m30s",
    blocking,
    strict,
    input_schema = schema
)]
#[allow(clippy::too_many_arguments)]
/// After.
#[inline]
fn everything(
    /// The region.
    ///
    /// In two paragraphs.
    #[arg(name = "where", header = "Region")]
    region: Option<Region>,
    #[arg(description = "d", default = 3, range(1..=14), examples(1, 2), header = "Days")]
    /// Not this one.
    days: u8,
    #[arg(length(1..=10), pattern = "^[a-z]+$", format = "hostname", header = "Host")] host: &str,
    #[arg(length(..5))] tags: Vec<String>,
    #[arg(range(0.0..1.0))] share: Option<f64>,
    #[arg(range(-5..))] low: i32,
    #[arg(schema = day)] day: String,
    #[allow(unused_variables)] unused: bool,
    #[arg(header = "Flag")] flag: bool,
) {
    let _ = (region, days, host, tags, share, low, day, flag);
}

#[tool]
#[deprecated(note = "still served")]
fn old() {}

#[tool]
#[cfg(any())]
fn absent(thing: Absent) {}

#[cfg(any())]
#[tool]
fn absent_too(thing: Absent) {}

#[tool(inline)]
#[must_use]
fn quick() -> u8 {
    1
}

#[tool(strict)]
fn strict_without_parameters() {}

#[tool(strict, timeout = "500ms")]
async fn strict_and_async(a: i64) -> i64 {
    a
}

/** In a block,
 *  with stars. */
#[tool(description = "Instead of the comment.")]
const fn constant() -> u8 {
    1
}

#[doc = concat!("Made ", "up.")]
#[tool]
fn computed() {}

#[resource("app://{region}/{day}", title = "Rows", list = all, mime = "text/plain", group = "all")]
fn rows(
    #[arg(complete = regions, description = "Where.")] region: Region,
    #[arg(name = "day")] when: &str,
) -> String {
    let _ = region;
    when.to_owned()
}

#[prompt(name = "Ask me", title = "Ask", timeout = "1s", icon("https://example.com/a.png"), meta("a" = true))]
fn ask(#[arg(complete = regions)] region: Region) -> String {
    let _ = region;
    String::new()
}

fn main() {
    assert_eq!(inner::add(1), 1);
    assert_eq!(constant(), 1);
    let _ = quick();
}
