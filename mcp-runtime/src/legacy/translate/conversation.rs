//! Conversations with the client's model (client/sampling).

use serde_json::{Map, Value};

use super::{content, listing};
use crate::legacy::Revision;

/// `CreateMessageRequestParams`.
///
/// # Errors
///
/// A sentence on what this revision's conversations cannot have.
pub(super) fn conversation(
    revision: Revision,
    mut params: Map<String, Value>,
) -> Result<Map<String, Value>, String> {
    if revision.has_sampling_tools() {
        with_tools(revision, &mut params);
        return Ok(params);
    }
    let tools = params.shift_remove("tools");
    if tools.as_ref().and_then(Value::as_array).is_some_and(|tools| !tools.is_empty()) {
        return Err(format!("revision {revision} cannot offer tools to the client's model"));
    }
    params.shift_remove("toolChoice");
    if let Some(Value::Array(messages)) = params.get_mut("messages") {
        let mut single = Vec::with_capacity(messages.len());
        for message in std::mem::take(messages) {
            one_block_each(revision, message, &mut single)?;
        }
        *messages = single;
    }
    Ok(params)
}

fn with_tools(revision: Revision, params: &mut Map<String, Value>) {
    for tool in params.get_mut("tools").and_then(Value::as_array_mut).into_iter().flatten() {
        listing::tool(revision, tool);
    }
    for message in params.get_mut("messages").and_then(Value::as_array_mut).into_iter().flatten() {
        match message.get_mut("content") {
            Some(Value::Array(blocks)) => blocks.iter_mut().for_each(objects_only),
            Some(block) => objects_only(block),
            None => {}
        }
    }
}

/// `structuredContent` of a tool's result is an object before 2026-07-28.
fn objects_only(block: &mut Value) {
    if let Value::Object(block) = block
        && block.get("structuredContent").is_some_and(|structured| !structured.is_object())
    {
        block.shift_remove("structuredContent");
    }
}

/// A message has one block before 2025-11-25, so several of them are as many messages.
fn one_block_each(revision: Revision, message: Value, out: &mut Vec<Value>) -> Result<(), String> {
    let Value::Object(mut message) = message else { return Ok(()) };
    message.shift_remove("_meta");
    let blocks = match message.shift_remove("content") {
        Some(Value::Array(blocks)) => blocks,
        Some(block) => vec![block],
        None => Vec::new(),
    };
    for mut block in blocks {
        match block["type"].as_str().unwrap_or_default() {
            "text" | "image" => {}
            "audio" if revision.has_audio() => {}
            other => return Err(format!("revision {revision} cannot send `{other}` to the client's model")),
        }
        content::block(revision, 0, &mut block);
        let mut single = message.clone();
        single.insert("content".to_owned(), block);
        out.push(single.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::legacy::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25};
    use crate::{Audio, Sample, SampleContent, SampleMessage, SampleTool, ToolChoice};

    #[track_caller]
    fn check(request: &Sample, table: [(Revision, Result<Value, &str>); 4]) {
        for (revision, expected) in table {
            let params = json!(request).as_object().unwrap().clone();
            let said = conversation(revision, params).map(Value::Object);
            assert_eq!(said, expected.map_err(str::to_owned), "{revision}");
        }
    }

    #[test]
    fn a_question() {
        let request = Sample::new("Why?", 100).system_prompt("Be brief.").temperature(0.5);
        let same = json!({
            "messages": [{ "role": "user", "content": { "type": "text", "text": "Why?" } }],
            "maxTokens": 100, "systemPrompt": "Be brief.", "temperature": 0.5
        });
        check(&request, [V2025_11_25, V2025_06_18, V2025_03_26, V2024_11_05].map(|r| (r, Ok(same.clone()))));
    }

    #[test]
    fn several_blocks_and_audio() {
        let mut message = SampleMessage::user("What is this?");
        message.content.push(SampleContent::Audio(Audio::wav(vec![1, 2, 3])));
        let request = Sample::conversation(vec![message, SampleMessage::assistant("Hm")], 5);
        let text = json!({ "type": "text", "text": "What is this?" });
        let audio = json!({ "type": "audio", "data": "AQID", "mimeType": "audio/wav" });
        let reply = json!({ "role": "assistant", "content": { "type": "text", "text": "Hm" } });
        let several =
            json!({ "messages": [{ "role": "user", "content": [text, audio] }, reply], "maxTokens": 5 });
        let split = json!({
            "messages": [{ "role": "user", "content": text }, { "role": "user", "content": audio }, reply],
            "maxTokens": 5
        });
        check(
            &request,
            [
                (V2025_11_25, Ok(several)),
                (V2025_06_18, Ok(split.clone())),
                (V2025_03_26, Ok(split)),
                (V2024_11_05, Err("revision 2024-11-05 cannot send `audio` to the client's model")),
            ],
        );
    }

    #[test]
    fn tools() {
        let tool = SampleTool {
            name: "t".to_owned(),
            description: "d".to_owned(),
            input_schema: json!({ "type": "object", "properties": { "a": { "x-mcp-header": "A" } } }),
        };
        let request = Sample::new("Why?", 1).tool(tool).tool_choice(ToolChoice::Required);
        let latest = json!({
            "messages": [{ "role": "user", "content": { "type": "text", "text": "Why?" } }],
            "maxTokens": 1,
            "tools": [{
                "name": "t", "description": "d",
                "inputSchema": { "type": "object", "properties": { "a": {} } }
            }],
            "toolChoice": { "mode": "required" }
        });
        check(
            &request,
            [
                (V2025_11_25, Ok(latest)),
                (V2025_06_18, Err("revision 2025-06-18 cannot offer tools to the client's model")),
                (V2025_03_26, Err("revision 2025-03-26 cannot offer tools to the client's model")),
                (V2024_11_05, Err("revision 2024-11-05 cannot offer tools to the client's model")),
            ],
        );
    }

    #[test]
    fn the_use_of_a_tool() {
        let params = json!({
            "messages": [
                { "role": "assistant", "content": { "type": "tool_use", "id": "1", "name": "t", "input": {} } },
                { "role": "user", "content": [
                    { "type": "tool_result", "toolUseId": "1", "content": [], "structuredContent": [1] }
                ] }
            ],
            "maxTokens": 1
        });
        let params = params.as_object().unwrap();
        let latest = conversation(V2025_11_25, params.clone()).unwrap();
        assert_eq!(
            latest["messages"][1]["content"],
            json!([{ "type": "tool_result", "toolUseId": "1", "content": [] }])
        );
        assert_eq!(
            conversation(V2025_06_18, params.clone()).unwrap_err(),
            "revision 2025-06-18 cannot send `tool_use` to the client's model"
        );
    }
}
