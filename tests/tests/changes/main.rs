//! Servers that change while they run: what clients see before, during and after.

mod added;
mod arguments;
mod capabilities;
mod concurrent;
mod errors;
mod flight;
mod http;
mod prompts;
mod resources;
mod visibility;

use std::sync::{Arc, Mutex};

use mcp_runtime::testing::Client;
use mcp_runtime::{Bus, Change, Inbox, Server, ServerHandle};

/// What the macros register, for what comes and goes beside it.
mod entries {
    use mcp_runtime::prelude::*;

    #[tool]
    fn linked() -> &'static str {
        "linked"
    }

    #[tool(group = "admin")]
    fn reset() -> &'static str {
        "reset"
    }

    #[prompt(group = "admin")]
    fn audit() -> &'static str {
        "audit"
    }

    #[resource("notes://linked")]
    fn note() -> &'static str {
        "linked"
    }

    #[resource("db://{table}/rows/{id}")]
    fn row(table: &str, id: &str) -> String {
        format!("{table} {id}")
    }
}

/// Notes what is published, and delivers nothing.
#[derive(Clone, Default)]
struct Published(Arc<Mutex<Vec<Change>>>);

impl Bus for Published {
    fn connect(&self, _: Inbox) {}

    fn publish(&self, change: Change) {
        self.0.lock().unwrap().push(change);
    }
}

impl Published {
    fn take(&self) -> Vec<Change> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

fn server() -> Server {
    mcp_tests::server("changes::entries")
}

/// A server that runs, a handle of it, and what it publishes.
fn running() -> (Client, ServerHandle, Published) {
    let published = Published::default();
    let server = server().bus(published.clone());
    let handle = server.handle();
    (Client::new(server).unwrap(), handle, published)
}

/// What the items of a list are called, in its order.
async fn listed(client: &Client, list: &str) -> Vec<String> {
    let key = match list {
        "resources" => "uri",
        "resourceTemplates" => "uriTemplate",
        _ => "name",
    };
    let items = client.list(list).await.unwrap();
    items.iter().map(|item| item[key].as_str().unwrap().to_owned()).collect()
}
