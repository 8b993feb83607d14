//! Started by hand: say what this is and what to type, instead of waiting for a client that is not there.

use std::fmt::Write as _;
use std::process::ExitCode;

use serde_json::Value;

use super::list::{lists, table};
use crate::Server;
use crate::protocol::Result;

pub(super) async fn welcome(server: Server) -> Result<ExitCode> {
    let (name, version) = (server.display_name(), server.version_text().to_owned());
    let lists = lists(server).await?;
    let table = table(&lists);
    let example = lists[0].3.first().map_or_else(|| "TOOL".to_owned(), example);
    let lines = [
        (format!("{name} call {example}"), "call a tool"),
        (format!("{name} --http"), "serve http://127.0.0.1:8080/mcp"),
        (format!("{name} --help"), "everything else"),
    ];
    let width = lines.iter().map(|(line, _)| line.chars().count()).max().unwrap_or(0);
    print!(
        "{name} {version} is an MCP server: a client starts it and talks to it over stdin and stdout.\n\n\
         {table}\nTry\n"
    );
    for (line, does) in lines {
        println!("  {line:width$}    {does}");
    }
    Ok(ExitCode::SUCCESS)
}

/// `add a=1 b=1`: a tool with what it cannot do without; `..` stands for what only the author knows.
fn example(tool: &Value) -> String {
    let schema = &tool["inputSchema"];
    let mut text = tool["name"].as_str().unwrap_or_default().to_owned();
    for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let property = &schema["properties"][key];
        let value = match property["type"].as_str() {
            Some("integer" | "number") => property.get("minimum").map_or("1".to_owned(), Value::to_string),
            Some("boolean") => "true".to_owned(),
            _ => "..".to_owned(),
        };
        let _ = write!(text, " {key}={value}");
    }
    text
}
