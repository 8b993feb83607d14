//! `call`: a tool, from the terminal.

use std::process::ExitCode;

use serde_json::{Map, Value};

use crate::Server;
use crate::protocol::{Content, Error, LogLevel, MISSING_REQUIRED_CLIENT_CAPABILITY, ResourceBody, Result};
use crate::testing::Client;

pub(super) async fn call(server: Server, name: &str, arguments: &[String]) -> Result<ExitCode> {
    let client = Client::new(server)?;
    // A server without tools says so to the call itself.
    let tools = client.list("tools").await.unwrap_or_default();
    let tool = tools.iter().find(|tool| tool["name"] == name);
    let arguments = object(arguments, tool.map(|tool| &tool["inputSchema"]["properties"]))?;
    let called = client
        .call(name, arguments)
        .log_level(LogLevel::Info)
        .on_notification(|message| show_notification(&message))
        .await;
    let result = match called {
        Ok(result) => result,
        Err(error) => return Err(explain(error, &client, name, tool.is_some()).await),
    };
    let text = result.content.iter().map(show).collect::<Vec<_>>().join("\n");
    if result.is_error {
        eprintln!("{text}");
        return Ok(ExitCode::FAILURE);
    }
    if !text.is_empty() {
        println!("{text}");
    }
    Ok(ExitCode::SUCCESS)
}

/// What can be done about an error that says it all to a client, and not to a person with a terminal.
async fn explain(
    error: Error,
    client: &Client,
    name: &str,
    known: bool,
) -> Box<dyn std::error::Error + Send + Sync> {
    if error.code() == MISSING_REQUIRED_CLIENT_CAPABILITY {
        let required = error.data().map(|data| &data["requiredCapabilities"]);
        let required: Vec<_> = required.and_then(Value::as_object).into_iter().flat_map(Map::keys).collect();
        let required = required.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        return format!("`{name}` asks its client for something ({required}), which `call` cannot answer")
            .into();
    }
    if !known {
        for (list, key, what) in [
            ("prompts", "name", "prompt"),
            ("resources", "name", "resource"),
            ("resources", "uri", "resource"),
        ] {
            let items = client.list(list).await.unwrap_or_default();
            if items.iter().any(|item| item[key] == name) {
                return format!("`{name}` is a {what}; `call` calls tools").into();
            }
        }
    }
    error.into()
}

/// One JSON object, or `key=value` pairs. A value is JSON where it can be and text where not; that of an argument
/// whose schema knows strings only is text, `title=12` too.
fn object(arguments: &[String], properties: Option<&Value>) -> Result<Value> {
    match arguments {
        [] => return Ok(Map::new().into()),
        [json] if json.trim_start().starts_with('{') => {
            return serde_json::from_str(json)
                .map_err(|error| format!("the arguments are not JSON: {error}").into());
        }
        _ => {}
    }
    let mut object = Map::new();
    for argument in arguments {
        let (key, value) = argument
            .split_once('=')
            .ok_or_else(|| format!("`{argument}` is neither a JSON object nor `key=value`"))?;
        let value = match serde_json::from_str(value) {
            Ok(Value::String(text)) => text.into(),
            Ok(json) if !properties.is_some_and(|all| is_text(&all[key])) => json,
            _ => value.into(),
        };
        object.insert(key.to_owned(), value);
    }
    Ok(object.into())
}

fn is_text(schema: &Value) -> bool {
    schema["type"] == "string"
}

fn show_notification(message: &Value) {
    let params = &message["params"];
    match message["method"].as_str() {
        Some("notifications/progress") => {
            let total = params.get("total").map(|total| format!("/{total}")).unwrap_or_default();
            eprintln!("{}{total} {}", params["progress"], params["message"].as_str().unwrap_or_default());
        }
        // Those with a logger are events of `tracing`, which are shown as RUST_LOG says.
        Some("notifications/message") if params.get("logger").is_none() => {
            let data = params["data"].as_str().map_or_else(|| params["data"].to_string(), str::to_owned);
            eprintln!("{}: {data}", params["level"].as_str().unwrap_or_default());
        }
        _ => {}
    }
}

fn show(content: &Content) -> String {
    match content {
        Content::Text { text, .. } => text.clone(),
        Content::Image(image) => format!("[{}, {} bytes]", image.mime_type, image.data.len()),
        Content::Audio(audio) => format!("[{}, {} bytes]", audio.mime_type, audio.data.len()),
        Content::ResourceLink(link) => format!("[{}] {}", link.name, link.uri),
        Content::Resource(embedded) => match &embedded.resource.body {
            ResourceBody::Text { text } => text.clone(),
            ResourceBody::Blob { blob } => format!("[{}, {} bytes]", embedded.resource.uri, blob.len()),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::object;

    fn read(arguments: &[&str]) -> serde_json::Value {
        let properties = json!({
            "title": {"type": "string"},
            "days": {"type": "integer"},
            "tags": {"type": "array", "items": {"type": "string"}},
        });
        let arguments: Vec<_> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        object(&arguments, Some(&properties)).unwrap()
    }

    #[test]
    fn a_value_is_text_where_only_text_fits() {
        assert_eq!(read(&["title=12", "days=3"]), json!({"title": "12", "days": 3}));
        assert_eq!(read(&["title=\"12\"", "tags=[\"a\"]"]), json!({"title": "12", "tags": ["a"]}));
        assert_eq!(read(&["title=a=b", "other=true"]), json!({"title": "a=b", "other": true}));
        assert_eq!(read(&["{\"title\": 12}"]), json!({"title": 12}));
    }
}
