//! `call`: a tool, from the terminal.

use std::process::ExitCode;

use serde_json::{Map, Value};

use crate::Server;
use crate::protocol::{Content, ResourceBody, Result};
use crate::testing::Client;

pub(super) async fn call(server: Server, name: &str, arguments: &[String]) -> Result<ExitCode> {
    let client = Client::new(server)?;
    // Where there is no such tool, the call says so.
    let tools = client.list("tools").await.unwrap_or_default();
    let schema =
        tools.iter().find(|tool| tool["name"] == name).map_or(&Value::Null, |tool| &tool["inputSchema"]);
    let arguments = object(arguments, schema)?;
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

/// One JSON object, or `key=value` pairs; `schema` is that of the tool's arguments.
fn object(arguments: &[String], schema: &Value) -> Result<Value> {
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
        let takes_text = schema["properties"][key]["type"] == "string";
        object.insert(key.to_owned(), value_of(value, takes_text));
    }
    Ok(object.into())
}

/// The value is JSON where it can be, and text where not; for an argument that is a text, only a string in quotes is
/// taken for JSON.
fn value_of(written: &str, takes_text: bool) -> Value {
    match serde_json::from_str(written) {
        Ok(json @ Value::String(_)) => json,
        Ok(json) if !takes_text => json,
        _ => written.into(),
    }
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn given(arguments: &[&str]) -> std::result::Result<Value, String> {
        let schema = json!({ "properties": {
            "text": { "type": "string" },
            "n": { "type": "integer" },
            "tags": { "type": "array", "items": { "type": "string" } },
        } });
        let arguments: Vec<_> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        object(&arguments, &schema).map_err(|error| error.to_string())
    }

    #[test]
    fn pairs_are_values_of_the_types_that_the_tool_takes() {
        assert_eq!(given(&[]), Ok(json!({})));
        assert_eq!(given(&["text=5", "n=5"]), Ok(json!({ "text": "5", "n": 5 })));
        assert_eq!(given(&["text=a=b", "other=true"]), Ok(json!({ "text": "a=b", "other": true })));
        assert_eq!(given(&["text=\"5\"", "n=five"]), Ok(json!({ "text": "5", "n": "five" })));
        assert_eq!(given(&["text=", "tags=[\"a\"]"]), Ok(json!({ "text": "", "tags": ["a"] })));
        assert_eq!(given(&["text"]), Err("`text` is neither a JSON object nor `key=value`".to_owned()));
    }

    #[test]
    fn one_object_is_taken_as_it_is() {
        assert_eq!(given(&[r#" {"text": 5}"#]), Ok(json!({ "text": 5 })));
        let error = given(&[r#"{"text": 5"#]).unwrap_err();
        assert_eq!(error, "the arguments are not JSON: EOF while parsing an object at line 1 column 10");
    }
}
