//! What resources can be: fixed, or one for each value of a template.

use mcp_runtime::SafePath;
use mcp_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{PIXEL, SILENCE};

/// Everything that can be said about a resource.
#[resource(
    "demo://manual",
    name = "manual",
    title = "The manual",
    mime = "text/markdown",
    size = 23,
    audience(user, assistant),
    priority = 0.8,
    icon("https://example.com/book.png"),
    meta("com.example/edition" = 3)
)]
fn manual() -> &'static str {
    "# Manual\n\nTry it out.\n"
}

/// An image with its own MIME type.
#[resource("demo://pixel")]
fn pixel() -> Image {
    Image::png(PIXEL)
}

/// Several contents under one address.
#[resource("demo://album")]
fn album() -> Vec<ResourceContents> {
    vec![
        ResourceContents::text("demo://album/notes", "a pixel and a silence").mime_type("text/plain"),
        ResourceContents::bytes("demo://album/pixel", PIXEL).mime_type("image/png"),
        ResourceContents::bytes("demo://album/silence", SILENCE).mime_type("audio/wav"),
    ]
}

#[derive(Serialize)]
struct User {
    id: u32,
    name: &'static str,
}

const USERS: [User; 2] = [User { id: 1, name: "Ada" }, User { id: 2, name: "Grace" }];

/// A user by number; unknown ones are "not found".
#[resource("demo://users/{id}", mime = "application/json", list = all_users)]
fn user(id: u32) -> Option<Json<User>> {
    USERS.into_iter().find(|user| user.id == id).map(Json)
}

fn all_users() -> Vec<ResourceLink> {
    let link = |user: User| ResourceLink::new(format!("demo://users/{}", user.id)).title(user.name);
    USERS.into_iter().map(link).collect()
}

/// The order of a list.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Order {
    #[default]
    Name,
    Date,
}

/// A search; what is behind the question mark may be left out.
#[resource("demo://search{?q,limit,order}", mime = "text/plain")]
fn search(q: Option<&str>, #[arg(default = 10)] limit: u8, order: Option<Order>) -> String {
    format!("the first {limit} for {:?} by {:?}", q.unwrap_or_default(), order.unwrap_or_default())
}

/// A document by path; a path that climbs out of its folder is refused.
#[resource("demo://documents/{+path}", mime = "text/plain")]
fn document(path: SafePath) -> String {
    format!("the document at {path}")
}
