//! The result of `initialize`, which no modern client asks for.

use serde_json::{Map, Value};

use super::capabilities::server_capabilities;
use super::known_of;
use crate::legacy::Revision;

/// `InitializeResult` from what the core tells about the server: the capabilities and instructions of `server/discover`,
/// and its `Implementation`.
pub(crate) fn initialize_result(
    revision: Revision,
    capabilities: &Map<String, Value>,
    server_info: &Value,
    instructions: Option<&str>,
) -> Value {
    let mut result = Map::new();
    result.insert("protocolVersion".to_owned(), revision.as_str().into());
    result.insert("capabilities".to_owned(), server_capabilities(revision, capabilities));
    result.insert("serverInfo".to_owned(), implementation(revision, server_info));
    if let Some(instructions) = instructions {
        result.insert("instructions".to_owned(), instructions.into());
    }
    result.into()
}

fn implementation(revision: Revision, info: &Value) -> Value {
    let known = |name: &str| match name {
        "name" | "version" => true,
        "title" => revision.has_titles(),
        "icons" => revision.has_icons(),
        "description" | "websiteUrl" => revision.has_server_description(),
        _ => false,
    };
    info.as_object().map(|info| known_of(info, known)).unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::legacy::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25};

    #[test]
    fn the_server_in_each_revision() {
        let capabilities = json!({ "tools": {}, "completions": {} });
        let latest = json!({
            "name": "n", "version": "1", "title": "N", "description": "d", "websiteUrl": "https://example.com",
            "icons": [{ "src": "https://example.com/i.png" }]
        });
        let plain = json!({ "name": "n", "version": "1" });
        for (revision, info) in [
            (V2025_11_25, latest.clone()),
            (V2025_06_18, json!({ "name": "n", "version": "1", "title": "N" })),
            (V2025_03_26, plain.clone()),
            (V2024_11_05, plain),
        ] {
            let known = if revision == V2024_11_05 { json!({ "tools": {} }) } else { capabilities.clone() };
            assert_eq!(
                initialize_result(revision, capabilities.as_object().unwrap(), &latest, Some("Be kind.")),
                json!({
                    "protocolVersion": revision.as_str(),
                    "capabilities": known,
                    "serverInfo": info,
                    "instructions": "Be kind."
                })
            );
        }
    }

    #[test]
    fn instructions_are_left_out_where_there_are_none() {
        let result =
            initialize_result(V2025_11_25, &Map::new(), &json!({ "name": "n", "version": "1" }), None);
        assert_eq!(result.get("instructions"), None);
    }
}
