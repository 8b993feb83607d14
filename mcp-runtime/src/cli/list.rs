//! `list`: what the server offers.

use std::process::ExitCode;

use serde_json::{Map, Value};

use crate::Server;
use crate::protocol::{METHOD_NOT_FOUND, Result};
use crate::testing::Client;

/// The lists, their titles in the table, and what names an item.
const LISTS: [(&str, &str, &str); 4] = [
    ("tools", "Tools", "name"),
    ("resources", "Resources", "uri"),
    ("resourceTemplates", "Resource templates", "uriTemplate"),
    ("prompts", "Prompts", "name"),
];

pub(super) async fn list(server: Server, json: bool) -> Result<ExitCode> {
    let lists = lists(server).await?;
    if json {
        let object: Map<String, Value> =
            lists.into_iter().map(|(key, _, _, items)| (key.to_owned(), items.into())).collect();
        println!("{}", serde_json::to_string_pretty(&object)?);
    } else {
        print!("{}", table(&lists));
    }
    Ok(ExitCode::SUCCESS)
}

type List = (&'static str, &'static str, &'static str, Vec<Value>);

pub(super) async fn lists(server: Server) -> Result<Vec<List>> {
    let client = Client::new(server)?;
    let mut lists = Vec::new();
    for (key, title, name) in LISTS {
        match client.list(key).await {
            Ok(items) => lists.push((key, title, name, items)),
            // The server has none of these.
            Err(error) if error.code() == METHOD_NOT_FOUND => lists.push((key, title, name, Vec::new())),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(lists)
}

/// Names on the left, the first line of the descriptions on the right.
pub(super) fn table(lists: &[List]) -> String {
    let mut table = String::new();
    for (_, title, name, items) in lists.iter().filter(|(.., items)| !items.is_empty()) {
        if !table.is_empty() {
            table.push('\n');
        }
        table.push_str(title);
        table.push('\n');
        let text = |item: &Value, key: &str| item[key].as_str().unwrap_or_default().to_owned();
        let width = items.iter().map(|item| text(item, name).chars().count()).max().unwrap_or(0);
        for item in items {
            let description = text(item, "description");
            let line =
                format!("  {:width$}  {}", text(item, name), description.lines().next().unwrap_or_default());
            table.push_str(line.trim_end());
            table.push('\n');
        }
    }
    if table.is_empty() {
        table.push_str("This server offers nothing yet: put #[tool] on a function.\n");
    }
    table
}
