//! Results.

use super::members::{Members, Opened, as_json};
use super::{RESERVED, content, listing};
use crate::legacy::Revision;

/// What a result has of 2026-07-28 and of no revision before.
const MODERN: [&str; 5] = ["resultType", "ttlMs", "cacheScope", "inputRequests", "requestState"];

/// An answer with a `result`.
pub(super) fn result(revision: Revision, method: &str, text: &str) -> serde_json::Result<Vec<u8>> {
    let mut answer = Opened::parse(text, "result")?;
    let result = &mut answer.inside;
    result.retain(|name, _| !MODERN.contains(&name));
    drop_reserved_meta(result)?;
    match method {
        "tools/call" => call(revision, result)?,
        "tools/list" => result.each("tools", |_, tool| listing::tool(revision, tool))?,
        "prompts/get" if changes(revision, result, "messages") => {
            result.each("messages", |index, message| {
                if let Some(block) = message.get_mut("content") {
                    content::block(revision, index, block);
                }
            })?;
        }
        "prompts/list" if changes(revision, result, "prompts") => {
            result.each("prompts", |_, prompt| listing::prompt(revision, prompt))?;
        }
        "resources/list" if changes(revision, result, "resources") => {
            result.each("resources", |_, resource| listing::resource(revision, resource))?;
        }
        "resources/templates/list" if changes(revision, result, "resourceTemplates") => {
            result.each("resourceTemplates", |_, template| listing::resource(revision, template))?;
        }
        "resources/read" if changes(revision, result, "contents") => {
            result.each("contents", |_, contents| content::contents(revision, contents))?;
        }
        _ => {}
    }
    Ok(answer.into_line(text))
}

/// Whether there can be something under a member that the revision does not have.
///
/// Below 2025-06-18, it is `_meta` and much else; there, it is `icons` alone; and from 2025-11-25 on nothing but what
/// the schemas of tools say.
fn changes(revision: Revision, result: &Members<'_>, name: &str) -> bool {
    if revision.has_icons() {
        return false;
    }
    !revision.has_item_meta() || result.get(name).is_some_and(|json| json.contains("\"icons\""))
}

/// `CallToolResult`.
fn call(revision: Revision, result: &mut Members<'_>) -> serde_json::Result<()> {
    if changes(revision, result, "content") {
        result.each("content", |index, block| content::block(revision, index, block))?;
    }
    // "Structured content is returned as a JSON object in the `structuredContent` field" (server/tools).
    let fits = |json: &str| revision.has_structured_content() && json.starts_with('{');
    if result.get("structuredContent").is_some_and(|json| !fits(json)) {
        let json = result.remove("structuredContent").unwrap_or_default();
        // The blocks say the same, as far as the author wants models to read it. Where there are none, it is all.
        if result.get("content") == Some("[]") {
            result.set("content", as_json(&[content::text(json.into_owned())]));
        }
    }
    Ok(())
}

/// Drops what is not the author's from `_meta`, which every result and notification of every revision can have. Tells
/// whether there was nothing.
pub(super) fn drop_reserved_meta(members: &mut Members<'_>) -> serde_json::Result<bool> {
    let Some(json) = members.get("_meta") else { return Ok(true) };
    let mut meta = Members::parse(json)?;
    if meta.retain(|key, _| !key.starts_with(RESERVED)) {
        return Ok(true);
    }
    let rest = (!meta.is_empty()).then(|| meta.to_json());
    match rest {
        Some(rest) => members.set("_meta", rest),
        None => {
            members.remove("_meta");
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::answer;
    use super::*;
    use crate::legacy::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25};

    const SERVER: &str = r#""io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}"#;

    /// The members of a result before and after.
    #[track_caller]
    fn translated(revision: Revision, method: &str, members: &str) -> String {
        let bytes = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{{members}}}}}"#).into_bytes();
        let line = String::from_utf8(answer(revision, method, bytes, None)).unwrap();
        let inside = line.strip_prefix(r#"{"jsonrpc":"2.0","id":1,"result":{"#).unwrap();
        inside.strip_suffix("}}").unwrap().to_owned()
    }

    #[test]
    fn what_every_modern_result_has_is_gone() {
        for &revision in Revision::ALL {
            for (method, before, after) in [
                ("tools/call", r#""content":[],"#, r#""content":[]"#),
                ("resources/read", r#""contents":[],"ttlMs":0,"cacheScope":"private","#, r#""contents":[]"#),
                (
                    "tools/list",
                    r#""tools":[],"nextCursor":"x","ttlMs":1,"cacheScope":"public","#,
                    r#""tools":[],"nextCursor":"x""#,
                ),
                (
                    "completion/complete",
                    r#""completion":{"values":["a"],"total":1,"hasMore":false},"#,
                    r#""completion":{"values":["a"],"total":1,"hasMore":false}"#,
                ),
            ] {
                let before = format!(r#"{before}"resultType":"complete","_meta":{{{SERVER}}}"#);
                assert_eq!(translated(revision, method, &before), after, "{revision} {method}");
            }
        }
    }

    #[test]
    fn the_meta_of_the_author_stays() {
        for &revision in Revision::ALL {
            let before = format!(r#""content":[],"resultType":"complete","_meta":{{"a/b":1.0,{SERVER}}}"#);
            assert_eq!(translated(revision, "tools/call", &before), r#""content":[],"_meta":{"a/b":1.0}"#);
            let own = r#""content":[],"_meta":{}"#;
            assert_eq!(translated(revision, "tools/call", own), own);
        }
    }

    #[test]
    fn structured_content_is_an_object_from_2025_06_18_on() {
        let text = r#""content":[{"type":"text","text":"x"}]"#;
        for (revision, structured, stays) in [
            (V2025_11_25, r#"{"a":1.50}"#, true),
            (V2025_06_18, r#"{"a":1.50}"#, true),
            (V2025_03_26, r#"{"a":1.50}"#, false),
            (V2024_11_05, r#"{"a":1.50}"#, false),
            (V2025_11_25, "[1]", false),
            (V2025_06_18, "null", false),
        ] {
            let before = format!(r#"{text},"structuredContent":{structured},"isError":true"#);
            let after = if stays { before.clone() } else { format!(r#"{text},"isError":true"#) };
            assert_eq!(translated(revision, "tools/call", &before), after, "{revision} {structured}");
        }
    }

    #[test]
    fn structured_content_that_nothing_else_says_becomes_text() {
        let before = r#""content":[],"structuredContent":["é",1.50]"#;
        let text = r#""content":[{"type":"text","text":"[\"é\",1.50]"}]"#;
        for &revision in Revision::ALL {
            assert_eq!(translated(revision, "tools/call", before), text);
        }
    }

    #[test]
    fn icons_are_looked_for_where_they_can_be() {
        let before = concat!(
            r#""content":[{"type":"resource_link","uri":"a:b","name":"b","icons":[{"src":"a:i"}],"#,
            r#""_meta":{"k":1}}]"#
        );
        assert_eq!(translated(V2025_11_25, "tools/call", before), before);
        assert_eq!(
            translated(V2025_06_18, "tools/call", before),
            r#""content":[{"type":"resource_link","uri":"a:b","name":"b","_meta":{"k":1}}]"#
        );
    }

    #[test]
    fn lists_and_messages_are_translated_item_by_item() {
        let item = json!({ "name": "n", "title": "N", "icons": [{ "src": "a:b" }], "_meta": { "k": 1 } });
        for (method, member) in [
            ("prompts/list", "prompts"),
            ("resources/list", "resources"),
            ("resources/templates/list", "resourceTemplates"),
        ] {
            for (revision, after) in [
                (V2025_11_25, item.clone()),
                (V2025_06_18, json!({ "name": "n", "title": "N", "_meta": { "k": 1 } })),
                (V2025_03_26, json!({ "name": "n" })),
            ] {
                let [before, after] = [&item, &after].map(|item| format!(r#""{member}":[{item}]"#));
                assert_eq!(translated(revision, method, &before), after, "{revision} {method}");
            }
        }
        assert_eq!(
            translated(
                V2025_03_26,
                "prompts/get",
                concat!(
                    r#""messages":[{"role":"user","content":{"type":"text","text":"a","_meta":{"k":1}}}],"#,
                    r#""description":"d""#
                )
            ),
            r#""messages":[{"role":"user","content":{"type":"text","text":"a"}}],"description":"d""#
        );
        assert_eq!(
            translated(
                V2024_11_05,
                "resources/read",
                r#""contents":[{"uri":"a:b","text":"a","_meta":{"k":1}}]"#
            ),
            r#""contents":[{"uri":"a:b","text":"a"}]"#
        );
    }

    #[test]
    fn an_answer_stays_one_line() {
        let before = r#""messages":[{"role":"user","content":{"type":"text","text":"a\u2028b\nc"}}]"#;
        assert_eq!(translated(V2024_11_05, "prompts/get", before), before);
    }

    #[test]
    fn what_is_no_answer_is_left_alone() {
        for text in ["", "{", r#"{"id":1}"#] {
            assert_eq!(answer(V2024_11_05, "tools/call", text.into(), None), text.as_bytes());
        }
    }
}
