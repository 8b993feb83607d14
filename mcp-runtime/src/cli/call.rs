//! `call`: a tool, from the terminal.

use std::process::ExitCode;

use serde_json::{Map, Value};

use crate::Server;
use crate::protocol::{Content, ResourceBody, Result};
use crate::testing::Client;

pub(super) async fn call(server: Server, name: &str, arguments: &[String]) -> Result<ExitCode> {
    let arguments = object(arguments)?;
    let client = Client::new(server)?;
    let result = client.call(name, arguments).on_notification(|message| show_progress(&message)).await?;
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

/// One JSON object, or `key=value` pairs whose values are JSON where they can be and text where not.
fn object(arguments: &[String]) -> Result<Value> {
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
        let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
        object.insert(key.to_owned(), value);
    }
    Ok(object.into())
}

fn show_progress(message: &Value) {
    let params = &message["params"];
    match message["method"].as_str() {
        Some("notifications/progress") => {
            let total = params.get("total").map(|total| format!("/{total}")).unwrap_or_default();
            eprintln!("{}{total} {}", params["progress"], params["message"].as_str().unwrap_or_default());
        }
        _ => eprintln!("{params}"),
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
