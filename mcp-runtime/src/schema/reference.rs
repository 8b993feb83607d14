//! Local references: `#`, `#/$defs/Name`, `#name`.

use serde_json::Value;

use super::walk::{children, each_schema};

/// The schema that a reference within `document` names, or `None` when it is not local or names nothing.
///
/// A reference into another document is never followed: implementations "MUST NOT automatically dereference `$ref`
/// values that resolve to a network URI" (specification, "JSON Schema Usage", *`$ref` Resolution*).
pub(super) fn resolve<'a>(reference: &str, document: &'a Value) -> Option<&'a Value> {
    let (base, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    let is_own = |id: &Value| id.as_str().map(|id| id.trim_end_matches('#')) == Some(base);
    if !base.is_empty() && !document.get("$id").is_some_and(is_own) {
        return None;
    }
    let fragment = percent_decode(fragment)?;
    if fragment.is_empty() || fragment.starts_with('/') {
        return document.pointer(&fragment);
    }
    find_anchor(document, &fragment)
}

/// The schema whose `$anchor` is `anchor`, or whose `$dynamicAnchor`, which to a `$ref` is the same.
fn find_anchor<'a>(schema: &'a Value, anchor: &str) -> Option<&'a Value> {
    let map = schema.as_object()?;
    let is_named = |keyword| map.get(keyword).and_then(Value::as_str) == Some(anchor);
    if is_named("$anchor") || is_named("$dynamicAnchor") {
        return Some(schema);
    }
    children(map).into_iter().find_map(|child| find_anchor(child.schema, anchor))
}

/// The name of a definition that a reference of the form `#/$defs/Name` (or the older `#/definitions/Name`) names.
pub(super) fn definition_name(reference: &str) -> Option<String> {
    let name = reference.strip_prefix("#/$defs/").or_else(|| reference.strip_prefix("#/definitions/"))?;
    if name.contains('/') {
        return None;
    }
    Some(percent_decode(name)?.replace("~1", "/").replace("~0", "~"))
}

/// The reference to the definition `name`, the inverse of [`definition_name`].
pub(super) fn to_definition(name: &str) -> String {
    use std::fmt::Write as _;

    let mut reference = String::from("#/$defs/");
    for character in name.chars() {
        match character {
            '~' => reference.push_str("~0"),
            '/' => reference.push_str("~1"),
            _ if character.is_ascii_alphanumeric() || "-._".contains(character) => {
                reference.push(character);
            }
            _ => {
                for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                    let _ = write!(reference, "%{byte:02X}");
                }
            }
        }
    }
    reference
}

/// Every `$ref` in `document`, at any depth.
pub(super) fn references(document: &Value) -> Vec<&str> {
    let mut found = Vec::new();
    each_schema(document, &mut |schema| {
        found.extend(schema.get("$ref").and_then(Value::as_str));
    });
    found
}

/// `text` with every `%41` replaced by the byte it stands for; `None` when the result is not UTF-8.
fn percent_decode(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        if byte == b'%' {
            let digits = std::str::from_utf8(tail.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &tail[2..];
        } else {
            bytes.push(byte);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn resolves_within_the_document_only() {
        let document = json!({
            "$id": "https://example.com/tool",
            "$defs": { "a/b": { "type": "string" }, "c": { "$anchor": "sea", "type": "integer" } },
        });
        assert_eq!(resolve("#", &document), Some(&document));
        assert_eq!(resolve("#/$defs/a~1b", &document), Some(&json!({ "type": "string" })));
        assert_eq!(resolve("https://example.com/tool#sea", &document), Some(&document["$defs"]["c"]));
        assert_eq!(resolve("#nowhere", &document), None);
        assert_eq!(resolve("https://example.org/other#/$defs/c", &document), None);
    }

    #[test]
    fn a_definition_name_survives_the_round_trip() {
        for name in ["Node", "a/b~c", "Map<Städte, 100%>"] {
            assert_eq!(definition_name(&to_definition(name)), Some(name.to_owned()), "{name}");
        }
    }
}
