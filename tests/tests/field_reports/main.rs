//! What users of other servers and SDKs reported, tried on this one.
//!
//! Each test is named after what was reported and gives the report as `repository#number`. The right behaviour is
//! the specification's (revision 2026-07-28), and where that leaves a choice, what real clients accept.

mod arguments;
mod messages;
mod notifications;
mod prompts;
mod resources;
mod results;
mod schemas;

use mcp_runtime::testing::Client;
use mcp_runtime::{Error, Server};
use serde_json::{Value, json};

/// A client of a server with the entries of one module.
fn client(module: &str) -> Client {
    Client::new(Server::new().name("field-reports").only(module)).expect("the entries are valid")
}

/// A whole request, with the metadata that every request needs.
fn request(id: &str, method: &str, mut params: Value) -> String {
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

/// One item of a list, by its name.
async fn listed(client: &Client, list: &str, name: &str) -> Value {
    let items = client.list(list).await.expect("lists are served");
    items.into_iter().find(|item| item["name"] == name).expect("the item is listed")
}

/// The code of an error, and that there is one.
fn code<T: std::fmt::Debug>(outcome: Result<T, Error>) -> i32 {
    outcome.expect_err("this is refused").code()
}
