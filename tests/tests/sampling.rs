//! client/sampling: what the client's model is asked, and what it says. Deprecated, and working.

#![allow(deprecated)]

use mcp_tests::client;
use mcp_tests::rounds::{Rounds, asked, ended, failed};
use serde_json::json;

mod tools {
    use mcp_runtime::prelude::*;
    use mcp_runtime::{Content, Role};
    use mcp_runtime::{ModelPreferences, Sample, SampleContent, SampleMessage, SampleTool, ToolChoice};
    use serde_json::{Map, json};

    #[tool]
    async fn capital(ctx: &Context) -> Result<String> {
        let preferences = ModelPreferences {
            hints: vec!["claude-3-sonnet".to_owned()],
            cost_priority: Some(0.3),
            speed_priority: Some(0.5),
            intelligence_priority: Some(0.8),
        };
        let request = Sample::new("What is the capital of France?", 100)
            .model_preferences(preferences)
            .temperature(0.1)
            .stop_sequence("\n\n")
            .system_prompt("You are a helpful assistant.");
        let said = ctx.sample(request).await?;
        Ok(format!("{} ({}, {:?})", said.text(), said.model, said.stop_reason))
    }

    fn get_weather() -> SampleTool {
        SampleTool {
            name: "get_weather".to_owned(),
            description: "Get current weather for a city".to_owned(),
            input_schema: json!({
                "type": "object",
                "properties": { "city": { "type": "string", "description": "City name" } },
                "required": ["city"]
            }),
        }
    }

    /// Multi-turn Tool Loop.
    #[tool]
    async fn weather(ctx: &Context) -> Result<String> {
        let question = SampleMessage::user("What's the weather like in Paris and London?");
        let mut messages = vec![question];
        loop {
            let request = Sample::conversation(messages.clone(), 1000)
                .tool(get_weather())
                .tool_choice(if messages.len() < 3 { ToolChoice::Auto } else { ToolChoice::None });
            let said = ctx.sample(request).await?;
            let results: Vec<SampleContent> = said
                .content
                .iter()
                .filter_map(|block| match block {
                    SampleContent::ToolUse { id, input, .. } => Some(result(id, input)),
                    _ => None,
                })
                .collect();
            if results.is_empty() {
                return Ok(said.text());
            }
            messages.push(SampleMessage { role: Role::Assistant, content: said.content });
            messages.push(SampleMessage { role: Role::User, content: results });
        }
    }

    fn result(id: &str, input: &Map<String, serde_json::Value>) -> SampleContent {
        SampleContent::ToolResult {
            tool_use_id: id.to_owned(),
            content: vec![Content::text(format!(
                "Weather in {}: 18°C",
                input["city"].as_str().unwrap_or("?")
            ))],
            is_error: false,
        }
    }

    #[tool]
    async fn only_a_choice(ctx: &Context) -> Result<String> {
        Ok(ctx.sample(Sample::new("?", 1).tool_choice(ToolChoice::None)).await?.text())
    }
}

fn tools() -> mcp_runtime::testing::Client {
    client(concat!(module_path!(), "::tools"))
}

/// "Creating Messages", word for word but for the deprecated `includeContext`.
#[tokio::test]
async fn a_message_is_created() {
    let client = tools();
    let call = Rounds::call(&client, "capital", json!({})).declaring(json!({ "sampling": {} }));
    let asked = asked(&call.begin().await);
    assert_eq!(
        asked.requests,
        json!({ "input": {
            "method": "sampling/createMessage",
            "params": {
                "messages": [
                    { "role": "user", "content": { "type": "text", "text": "What is the capital of France?" } }
                ],
                "modelPreferences": {
                    "hints": [{ "name": "claude-3-sonnet" }],
                    "costPriority": 0.3,
                    "intelligencePriority": 0.8,
                    "speedPriority": 0.5
                },
                "temperature": 0.1,
                "stopSequences": ["\n\n"],
                "systemPrompt": "You are a helpful assistant.",
                "maxTokens": 100
            }
        }})
    );
    let said = json!({
        "role": "assistant",
        "content": { "type": "text", "text": "The capital of France is Paris." },
        "model": "claude-3-sonnet-20240307",
        "stopReason": "endTurn"
    });
    let answer = call.answer(&asked, json!({ "input": said })).await;
    assert_eq!(
        ended(&answer),
        "The capital of France is Paris. (claude-3-sonnet-20240307, Some(\"endTurn\"))"
    );
}

/// "Sampling with Tools" and "Multi-turn Tool Loop": one round for each turn.
#[tokio::test]
async fn a_model_uses_tools() {
    let client = tools();
    let call = Rounds::call(&client, "weather", json!({}));
    let first = asked(&call.begin().await);
    let params = &first.requests["input"]["params"];
    let tool = json!([{
        "name": "get_weather",
        "description": "Get current weather for a city",
        "inputSchema": {
            "type": "object",
            "properties": { "city": { "type": "string", "description": "City name" } },
            "required": ["city"]
        }
    }]);
    assert_eq!(params["tools"], tool);
    assert_eq!(params["toolChoice"], json!({ "mode": "auto" }));
    let uses = json!([
        { "type": "tool_use", "id": "call_abc123", "name": "get_weather", "input": { "city": "Paris" } },
        { "type": "tool_use", "id": "call_def456", "name": "get_weather", "input": { "city": "London" } }
    ]);
    let said = json!({
        "role": "assistant", "content": uses, "model": "claude-3-sonnet-20240307", "stopReason": "toolUse"
    });
    let second = asked(&call.answer(&first, json!({ "input": said })).await);
    assert_eq!(
        second.requests,
        json!({ "input-2": {
            "method": "sampling/createMessage",
            "params": {
                "messages": [
                    {
                        "role": "user",
                        "content": { "type": "text", "text": "What's the weather like in Paris and London?" }
                    },
                    { "role": "assistant", "content": uses },
                    { "role": "user", "content": [
                        {
                            "type": "tool_result",
                            "toolUseId": "call_abc123",
                            "content": [{ "type": "text", "text": "Weather in Paris: 18°C" }]
                        },
                        {
                            "type": "tool_result",
                            "toolUseId": "call_def456",
                            "content": [{ "type": "text", "text": "Weather in London: 18°C" }]
                        }
                    ]}
                ],
                "tools": tool,
                "toolChoice": { "mode": "none" },
                "maxTokens": 1000
            }
        }})
    );
    let said = json!({
        "role": "assistant",
        "content": { "type": "text", "text": "Paris is warmer." },
        "model": "claude-3-sonnet-20240307"
    });
    let answer = call.answer(&second, json!({ "input-2": said })).await;
    assert_eq!(ended(&answer), "Paris is warmer.");
}

/// "Servers MUST NOT send tool-enabled sampling requests to Clients that have not declared support".
#[tokio::test]
async fn what_a_client_did_not_declare_is_never_sent() {
    let client = tools();
    let plain = json!({ "sampling": {} });
    let with_tools = json!({ "sampling": { "tools": {} } });
    for (tool, capabilities, required) in [
        ("capital", json!({}), &plain),
        ("capital", json!({ "sampling": null }), &plain),
        ("weather", json!({}), &with_tools),
        ("weather", plain.clone(), &with_tools),
        ("weather", json!({ "sampling": { "tools": null } }), &with_tools),
        ("only_a_choice", plain.clone(), &with_tools),
    ] {
        let answer = Rounds::call(&client, tool, json!({})).declaring(capabilities).begin().await;
        assert_eq!(failed(&answer).0, -32021);
        assert_eq!(answer["error"]["data"], json!({ "requiredCapabilities": required }), "{tool}");
    }
}

#[tokio::test]
async fn what_is_no_message_is_malformed() {
    let client = tools();
    let call = Rounds::call(&client, "capital", json!({}));
    let first = asked(&call.begin().await);
    let text = json!({ "type": "text", "text": "Paris" });
    for said in [
        json!(null),
        json!({ "action": "accept" }),
        json!({ "role": "nobody", "content": text, "model": "m" }),
        json!({ "role": "assistant", "content": text }),
        json!({ "role": "assistant", "content": { "type": "smell" }, "model": "m" }),
    ] {
        let answer = call.answer(&first, json!({ "input": said })).await;
        let (code, message) = failed(&answer);
        assert_eq!(code, -32602, "{said}");
        assert!(message.starts_with("Invalid params: `inputResponses.input`: "), "{message}");
    }
}
