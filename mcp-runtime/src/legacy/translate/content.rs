//! Blocks of content, and the contents of resources.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::legacy::Revision;

/// A block of text.
pub(super) fn text(text: String) -> Value {
    json!({ "type": "text", "text": text })
}

/// A block of a result or of a prompt, the `index`th of its kind in the message.
pub(super) fn block(revision: Revision, index: usize, block: &mut Value) {
    let Value::Object(members) = block else { return };
    annotated(revision, members);
    if let Some(resource) = members.get_mut("resource") {
        contents(revision, resource);
    }
    match members.get("type").and_then(Value::as_str) {
        Some("resource_link") if !revision.has_resource_links() => {
            members.insert("text".to_owned(), link_in_words(members).into());
            become_block(members, "text", &["text"]);
        }
        Some("resource_link") if !revision.has_icons() => {
            members.shift_remove("icons");
        }
        Some("audio") if !revision.has_audio() => {
            members.insert("resource".to_owned(), audio_as_resource(index, members));
            become_block(members, "resource", &["resource"]);
        }
        _ => {}
    }
}

/// `TextResourceContents` and `BlobResourceContents`.
pub(super) fn contents(revision: Revision, contents: &mut Value) {
    if let Value::Object(members) = contents {
        drop_item_meta(revision, members);
    }
}

/// What is annotated: a block, a resource, a template.
pub(super) fn annotated(revision: Revision, members: &mut Map<String, Value>) {
    drop_item_meta(revision, members);
    if revision.has_last_modified() {
        return;
    }
    if let Some(Value::Object(annotations)) = members.get_mut("annotations")
        && annotations.shift_remove("lastModified").is_some()
        && annotations.is_empty()
    {
        members.shift_remove("annotations");
    }
}

/// "Add `_meta` field to additional interface types" (2025-06-18, changelog).
pub(super) fn drop_item_meta(revision: Revision, members: &mut Map<String, Value>) {
    if !revision.has_item_meta() {
        members.shift_remove("_meta");
    }
}

/// Gives a block another type, of which it keeps these members and its annotations.
fn become_block(members: &mut Map<String, Value>, name: &str, keep: &[&str]) {
    members.insert("type".to_owned(), name.into());
    members.retain(|key, _| matches!(key.as_str(), "type" | "annotations") || keep.contains(&key.as_str()));
}

/// What a model needs to read the resource by its address: embedding it would mean to read it here.
fn link_in_words(link: &Map<String, Value>) -> String {
    let said = |key: &str| link.get(key).and_then(Value::as_str);
    let mut text = format!("{}: {}", said("name").unwrap_or("Resource"), said("uri").unwrap_or_default());
    if let Some(mime) = said("mimeType") {
        let _ = write!(text, " ({mime})");
    }
    if let Some(description) = said("description") {
        text.push('\n');
        text.push_str(description);
    }
    text
}

/// Bytes with a MIME type, which the client can play or store. The address only tells it from others.
fn audio_as_resource(index: usize, audio: &Map<String, Value>) -> Value {
    json!({
        "uri": format!("embedded:audio/{}", index + 1),
        "mimeType": audio.get("mimeType"),
        "blob": audio.get("data"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::legacy::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25};

    #[track_caller]
    fn check(revision: Revision, mut before: Value, after: &Value) {
        block(revision, 1, &mut before);
        assert_eq!(before.to_string(), after.to_string(), "{revision}");
    }

    #[test]
    fn every_kind_as_it_is_from_2025_06_18_on() {
        for revision in [V2025_06_18, V2025_11_25] {
            for content in [
                json!({
                    "type": "text", "text": "a",
                    "annotations": { "lastModified": "2025-01-12T15:00:58Z" }, "_meta": { "k": 1 }
                }),
                json!({ "type": "image", "data": "AQID", "mimeType": "image/png", "_meta": { "k": 1 } }),
                json!({ "type": "audio", "data": "AQID", "mimeType": "audio/wav" }),
                json!({ "type": "resource_link", "uri": "a:b", "name": "b", "title": "B", "size": 3 }),
                json!({ "type": "resource", "resource": { "uri": "a:b", "text": "c", "_meta": { "k": 1 } } }),
            ] {
                check(revision, content.clone(), &content);
            }
        }
    }

    #[test]
    fn meta_and_last_modified_are_gone_before_2025_06_18() {
        for revision in [V2024_11_05, V2025_03_26] {
            check(
                revision,
                json!({
                    "type": "text", "text": "a",
                    "annotations": { "priority": 0.5, "lastModified": "x" }, "_meta": {}
                }),
                &json!({ "type": "text", "text": "a", "annotations": { "priority": 0.5 } }),
            );
            check(
                revision,
                json!({
                    "type": "image", "data": "", "mimeType": "image/png",
                    "annotations": { "lastModified": "x" }
                }),
                &json!({ "type": "image", "data": "", "mimeType": "image/png" }),
            );
            check(
                revision,
                json!({ "type": "resource", "resource": { "uri": "a:b", "blob": "", "_meta": {} }, "_meta": {} }),
                &json!({ "type": "resource", "resource": { "uri": "a:b", "blob": "" } }),
            );
        }
    }

    #[test]
    fn a_link_is_said_in_words_before_2025_06_18() {
        for revision in [V2024_11_05, V2025_03_26] {
            check(
                revision,
                json!({
                    "type": "resource_link", "uri": "file:///src/main.rs", "name": "main.rs", "title": "Main",
                    "description": "The entry point", "mimeType": "text/x-rust", "size": 3,
                    "annotations": { "audience": ["user"] }, "_meta": { "k": 1 }
                }),
                &json!({
                    "type": "text",
                    "annotations": { "audience": ["user"] },
                    "text": "main.rs: file:///src/main.rs (text/x-rust)\nThe entry point"
                }),
            );
            check(
                revision,
                json!({ "type": "resource_link", "uri": "a:b", "name": "b" }),
                &json!({ "type": "text", "text": "b: a:b" }),
            );
        }
    }

    #[test]
    fn audio_is_an_embedded_resource_in_2024_11_05() {
        let audio = json!({
            "type": "audio", "data": "UklGRg==", "mimeType": "audio/wav", "annotations": { "priority": 1.0 }
        });
        check(V2025_03_26, audio.clone(), &audio);
        check(
            V2024_11_05,
            audio,
            &json!({
                "type": "resource",
                "annotations": { "priority": 1.0 },
                "resource": { "uri": "embedded:audio/2", "mimeType": "audio/wav", "blob": "UklGRg==" }
            }),
        );
    }
}
