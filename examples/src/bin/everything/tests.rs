//! What the conformance suite looks at, and what it does not.

use mcp_runtime::testing::Client;
use mcp_runtime::{Content, LogLevel};
use serde_json::{Value, json};

fn client() -> Client {
    Client::new(crate::server()).unwrap()
}

/// A client that gives whatever it is asked for.
fn able() -> Client {
    let elicitation = json!({ "form": {}, "url": {} });
    client().capabilities(json!({ "elicitation": elicitation, "sampling": {}, "roots": {} }))
}

/// The text of a call's result, and whether it is an error.
async fn call(name: &str, arguments: Value) -> (String, bool) {
    let result = client().call(name, arguments).await.unwrap();
    (result.text(), result.is_error)
}

async fn gives(name: &str, arguments: Value, text: &str) {
    assert_eq!(call(name, arguments).await, (text.to_owned(), false), "{name}");
}

/// The blocks of a call's result, as on the wire.
async fn blocks(name: &str) -> Value {
    json!(client().call(name, json!({})).await.unwrap().content)
}

async fn tool(name: &str) -> Value {
    let tools = client().list("tools").await.unwrap();
    tools.into_iter().find(|tool| tool["name"] == name).unwrap()
}

#[tokio::test]
async fn what_the_suite_takes_first_serves_its_purpose() {
    let client = client();
    let tools = client.list("tools").await.unwrap();
    assert!(client.call(tools[0]["name"].as_str().unwrap(), json!({})).await.is_ok());
    let resources = client.list("resources").await.unwrap();
    assert!(client.read(resources[0]["uri"].as_str().unwrap()).await.is_ok());
    let with_header = tools.iter().find(|tool| tool["inputSchema"].to_string().contains("x-mcp-header"));
    assert_eq!(with_header.unwrap()["name"], "test_header_param");
    assert!(tools.iter().all(|tool| tool["description"].as_str().is_some_and(|text| !text.is_empty())));
}

#[tokio::test]
async fn everything_listed_can_be_used() {
    let client = able();
    for resource in client.list("resources").await.unwrap() {
        client.read(resource["uri"].as_str().unwrap()).await.unwrap();
    }
    for tool in client.list("tools").await.unwrap() {
        // Some are not done, but ask.
        client.request("tools/call", json!({ "name": tool["name"], "arguments": {} })).await.unwrap();
    }
}

#[tokio::test]
async fn fixtures_give_what_the_suite_prescribes() {
    gives("test_simple_text", json!({}), "This is a simple text response for testing.").await;
    let failed = call("test_error_handling", json!({})).await;
    assert_eq!(failed, ("This tool intentionally returns an error for testing".to_owned(), true));
    let png =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
    let wav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";
    let image = json!({ "type": "image", "data": png, "mimeType": "image/png" });
    assert_eq!(blocks("test_image_content").await, json!([image]));
    assert_eq!(
        blocks("test_audio_content").await,
        json!([{ "type": "audio", "data": wav, "mimeType": "audio/wav" }])
    );
    let resource = |uri, mime, text| json!({ "type": "resource", "resource": { "uri": uri, "mimeType": mime, "text": text } });
    assert_eq!(
        blocks("test_embedded_resource").await,
        json!([resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")])
    );
    let mixed =
        resource("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#);
    assert_eq!(
        blocks("test_multiple_content_types").await,
        json!([{ "type": "text", "text": "Multiple content types test:" }, image, mixed])
    );
    assert_eq!(tool("json_schema_2020_12_tool").await["inputSchema"], super::fixtures::contact_schema());
}

#[tokio::test]
async fn progress_arrives_in_three_steps() {
    let mut steps = Vec::new();
    let client = client();
    let note = |message: Value| {
        steps.push((message["params"]["progress"].clone(), message["params"]["total"].clone()));
    };
    client.call("test_tool_with_progress", json!({})).on_notification(note).await.unwrap();
    assert_eq!(json!(steps), json!([[0, 100], [50, 100], [100, 100]]));
}

#[tokio::test]
async fn resources_give_what_the_suite_prescribes() {
    let client = client();
    let read = async |uri| json!(client.read(uri).await.unwrap().contents[0]);
    assert_eq!(
        read("test://static-text").await,
        json!({
            "uri": "test://static-text", "mimeType": "text/plain",
            "text": "This is the content of the static text resource."
        })
    );
    assert_eq!(read("test://static-binary").await["mimeType"], "image/png");
    assert_eq!(
        read("test://template/123/data").await,
        json!({
            "uri": "test://template/123/data", "mimeType": "application/json",
            "text": r#"{"id":"123","templateTest":true,"data":"Data for ID: 123"}"#
        })
    );
    let missing = "test://nonexistent-resource-for-conformance-testing";
    let error = client.read(missing).await.unwrap_err();
    assert_eq!((error.code(), error.data()), (-32602, Some(&json!({ "uri": missing }))));
}

#[tokio::test]
async fn prompts_give_what_the_suite_prescribes() {
    let client = client();
    let text = async |name, arguments| {
        let messages = client.prompt(name, arguments).await.unwrap().messages;
        messages[0].content.as_text().map(str::to_owned)
    };
    assert_eq!(text("test_simple_prompt", json!({})).await.unwrap(), "This is a simple prompt for testing.");
    let arguments = json!({ "arg1": "testValue1", "arg2": "testValue2" });
    assert_eq!(
        text("test_prompt_with_arguments", arguments).await.unwrap(),
        "Prompt with arguments: arg1='testValue1', arg2='testValue2'"
    );
    let embedded = json!({ "resourceUri": "test://example-resource" });
    let messages = client.prompt("test_prompt_with_embedded_resource", embedded).await.unwrap().messages;
    assert_eq!(json!(messages[0].content)["resource"]["uri"], "test://example-resource");
    assert_eq!(messages[1].content.as_text(), Some("Please process the embedded resource above."));
    let messages = client.prompt("test_prompt_with_image", json!({})).await.unwrap().messages;
    assert!(matches!(&messages[0].content, Content::Image(image) if image.mime_type == "image/png"));
}

#[tokio::test]
async fn arguments_arrive_as_their_types() {
    gives("arguments_optional", json!({}), r#"note None, units "metric", seconds 3600, tags []"#).await;
    gives("arguments_bounded", json!({}), r#"1, 0.5, ["one"], AB-1, someone@example.com"#).await;
    gives("arguments_borrowed", json!({ "title": "a\"b", "numbers": [1, 2.5] }), "a\"b (no subtitle): 3.5")
        .await;
    gives("arguments_flattened", json!({ "query": "q", "page": 3 }), "\"q\": items 21 to 30").await;
    let shape = json!({ "kind": "group", "parts": [{ "kind": "rectangle", "width": 2, "height": 3 }] });
    gives(
        "arguments_nested",
        json!({ "shape": shape, "labels": { "a": 1 } }),
        r#"area 6.00, labels {"a": 1}"#,
    )
    .await;
    gives("arguments_renamed", json!({ "type": "any", "match": true }), "any, Some(true)").await;
    gives(
        "typed_headers",
        json!({ "region": "eu-west", "tenant": 7 }),
        "region Some(EuWest), tenant Some(7), dry run false",
    )
    .await;
}

#[tokio::test]
async fn arguments_out_of_bounds_are_named() {
    for (arguments, name) in [
        (json!({ "die": 7 }), "die"),
        (json!({ "ratio": 1.0 }), "ratio"),
        (json!({ "words": [] }), "words"),
        (json!({ "reference": "ab" }), "reference"),
    ] {
        let (text, is_error) = call("arguments_bounded", arguments).await;
        assert!(is_error && text.contains(name), "{text}");
    }
    assert!(call("arguments_strict", json!({ "unknown": 1 })).await.1);
    assert!(call("arguments_by_hand", json!({ "color": "red" })).await.1);
    assert!(call("arguments_flattened", json!({ "query": "q", "page": 0 })).await.1);
}

#[tokio::test]
async fn results_have_the_form_of_their_types() {
    let result = client().call("result_structured", json!({})).await.unwrap();
    assert_eq!(
        result.structured_content,
        Some(json!({ "name": "temperature", "value": 21.5, "unit": "°C" }))
    );
    assert_eq!(blocks("result_list").await.as_array().unwrap().len(), 3);
    let kinds: Vec<_> =
        blocks("result_blocks").await.as_array().unwrap().iter().map(|b| b["type"].clone()).collect();
    assert_eq!(json!(kinds), json!(["text", "image", "audio", "resource_link"]));
    assert_eq!(
        blocks("result_annotated").await[1]["annotations"],
        json!({ "audience": ["assistant"], "priority": 0.2 })
    );
    let by_hand = client().call("result_by_hand", json!({})).await.unwrap();
    assert_eq!(by_hand.meta["com.example/took-ms"], 12);
}

#[tokio::test]
async fn failures_reach_whom_they_concern() {
    let (text, is_error) = call("fail", json!({ "how": "chain" })).await;
    assert!(is_error && text.starts_with("the report was not saved: "), "{text}");
    let fail = async |how| client().call("fail", json!({ "how": how })).await.unwrap_err();
    let protocol = fail("protocol").await;
    assert_eq!((protocol.code(), protocol.message()), (4001, "the account is closed"));
    let panic = fail("panic").await;
    assert_eq!(panic.code(), -32603);
    assert!(!panic.message().contains("asked to"), "{panic}");
}

#[tokio::test]
async fn tools_get_what_they_ask_the_server_for() {
    let client = client();
    for count in ["1", "2"] {
        assert_eq!(client.call("run_with_state", json!({})).await.unwrap().text(), count);
    }
    let greeting = client.call("run_with_tenant", json!({})).meta("com.example/tenant", "Ada").await.unwrap();
    assert_eq!(greeting.text(), "hello, Ada");
    let mut logged = Vec::new();
    client
        .call("run_with_logs", json!({}))
        .log_level(LogLevel::Debug)
        .on_notification(|message| logged.push(message["params"]["data"].clone()))
        .await
        .unwrap();
    assert!(logged.contains(&json!({ "skipped": [3, 7] })), "{logged:?}");
}

#[tokio::test]
async fn what_takes_too_long_is_given_up() {
    let (_, is_error) = call("run_with_timeout", json!({ "seconds": 60 })).await;
    assert!(is_error);
}

#[tokio::test]
async fn a_tool_is_listed_with_all_that_is_said_about_it() {
    let described = tool("run.described").await;
    assert_eq!(
        described["annotations"],
        json!({
            "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false
        })
    );
    assert_eq!(described["icons"][0]["theme"], "light");
    assert_eq!(described["_meta"], json!({ "com.example/team": "search", "com.example/tier": 2 }));
}

#[tokio::test]
async fn templates_take_typed_variables() {
    let client = client();
    let text = async |uri| json!(client.read(uri).await.unwrap().contents[0])["text"].clone();
    assert_eq!(text("demo://users/2").await, r#"{"id":2,"name":"Grace"}"#);
    assert_eq!(text("demo://search?q=a%20b&limit=5").await, r#"the first 5 for "a b" by Name"#);
    assert_eq!(text("demo://search").await, r#"the first 10 for "" by Name"#);
    assert_eq!(text("demo://documents/a/b.txt").await, "the document at a/b.txt");
    assert!(client.read("demo://documents/..%2Fsecret").await.is_err());
    assert!(client.read("demo://users/9").await.is_err());
}

#[tokio::test]
async fn prompts_take_typed_arguments() {
    let client = client();
    let arguments = json!({ "task": "tea", "at": "17:05", "tone": "simple", "urgent": "true" });
    let messages = client.prompt("remind", arguments).await.unwrap().messages;
    assert_eq!(
        messages[0].content.as_text(),
        Some("Remind me in simple words of \"tea\", 10 minutes before 17:05, and insist.")
    );
    let translated = client.prompt("translate", json!({ "language": "Dutch", "text": "hi" })).await.unwrap();
    assert_eq!(translated.description.as_deref(), Some("Translate to Dutch"));
    assert!(client.prompt("refuse", json!({})).await.is_err());
}

#[tokio::test]
async fn completions_know_what_was_chosen_before() {
    let offered = async |reference: Value, name: &str, value: &str, context: Value| {
        let argument = json!({ "name": name, "value": value });
        let params = json!({ "ref": reference, "argument": argument, "context": { "arguments": context } });
        client().request("completion/complete", params).await.unwrap()["completion"]["values"].clone()
    };
    let place = json!({ "type": "ref/resource", "uri": "demo://places/{country}/{city}" });
    assert_eq!(
        offered(place, "city", "", json!({ "country": "norway" })).await,
        json!(["bergen", "oslo", "tromso"])
    );
    let prompt = |name: &str| json!({ "type": "ref/prompt", "name": name });
    let suite = offered(prompt("test_prompt_with_arguments"), "arg1", "test", json!({})).await;
    assert_eq!(suite, json!(["testValue1", "testValue2"]));
    assert_eq!(offered(prompt("translate"), "language", "N", json!({})).await, json!(["Norwegian"]));
    assert_eq!(offered(prompt("remind"), "tone", "s", json!({})).await, json!(["simple"]));
}

/// A tool that asks for these things, is answered, and says this.
async fn asks(client: &Client, name: &str, answers: Value, text: &str) {
    let request = client.call(name, json!({}));
    let answers = answers.as_object().unwrap().clone();
    let result =
        answers.into_iter().fold(request, |request, (key, answer)| request.answer(&key, answer)).await;
    assert_eq!(result.unwrap().text(), text, "{name}");
}

fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

#[tokio::test]
async fn what_is_asked_for_goes_on_with_the_answers() {
    let client = able();
    let (who, confirm) = (accept(json!({ "name": "Ada" })), accept(json!({ "ok": true })));
    let said = json!({
        "role": "assistant", "content": { "type": "text", "text": "Hi!" }, "model": "m", "stopReason": "endTurn"
    });
    let roots = json!({ "roots": [{ "uri": "file:///work" }] });
    let named = json!({ "user_name": who });
    asks(&client, "test_input_required_result_elicitation", named, "Hello, Ada!").await;
    asks(&client, "test_input_required_result_sampling", json!({ "capital_question": said }), "Hi!").await;
    asks(&client, "test_input_required_result_list_roots", json!({ "client_roots": roots }), "file:///work")
        .await;
    asks(&client, "test_input_required_result_request_state", json!({ "confirm": confirm }), "state-ok")
        .await;
    asks(&client, "test_input_required_result_tampered_state", json!({ "confirm": confirm }), "confirmed")
        .await;
    let all = json!({ "user_name": who, "greeting": said, "client_roots": roots });
    let text = "Ada: Hi! You work in 1 folder(s).";
    asks(&client, "test_input_required_result_multiple_inputs", all, text).await;
    let steps = json!({ "step1": who, "step2": accept(json!({ "color": "blue" })) });
    asks(&client, "test_input_required_result_multi_round", steps, "Ada likes blue.").await;
    let both = json!({ "user_name": who, "greeting": said });
    asks(&client, "test_input_required_result_capabilities", both, "Hi!, Ada").await;
    asks(&client, "test_streaming_elicitation", json!({ "confirm": confirm }), "all of it is done").await;
    asks(&client, "ask_for_page", json!({ "input": { "action": "cancel" } }), "the page was put off").await;
    asks(&client, "ask_by_hand", json!({ "who": who }), "hello, Ada, after 1 question(s)").await;
    let subject = accept(json!({ "context": "tea" }));
    let prompt =
        client.prompt("test_input_required_result_prompt", json!({})).answer("user_context", subject);
    let messages = prompt.await.unwrap().messages;
    assert_eq!(messages[0].content.as_text(), Some("Answer in the context of tea."));
}

#[tokio::test]
async fn a_form_has_fields_of_every_kind() {
    let params = json!({ "name": "ask_for_form", "arguments": {} });
    let asked = able().request("tools/call", params).await.unwrap();
    assert_eq!(
        asked["inputRequests"]["input"]["params"]["requestedSchema"],
        json!({
            "type": "object",
            "properties": {
                "name": {
                    "type": "string", "title": "Name", "description": "Whom the parcel is for.",
                    "minLength": 1, "maxLength": 80
                },
                "email": { "type": "string", "description": "Where questions go.", "format": "email" },
                "deliverOn": { "type": "string", "title": "Deliver on", "format": "date" },
                "pieces": { "type": "integer", "minimum": 1, "maximum": 9, "default": 1 },
                "weight": { "type": "number", "minimum": 0, "maximum": 30, "default": 0.5 },
                "size": { "type": "string", "enum": ["small", "medium", "large"], "default": "medium" },
                "extras": {
                    "type": "array", "description": "What goes into the parcel.", "minItems": 1, "maxItems": 2,
                    "items": {
                        "anyOf": [
                            { "const": "greeting-card", "title": "A card with a greeting" },
                            { "const": "wrapping-paper", "title": "Paper with stars" },
                            { "const": "ribbon", "title": "A ribbon" }
                        ]
                    }
                },
                "boxed": { "type": "boolean", "description": "Without a box, the parcel is cheaper." }
            },
            "required": ["name", "extras", "boxed"]
        })
    );
    let order = accept(json!({ "name": "Ada", "size": "small", "extras": ["ribbon"], "boxed": true }));
    let text = "1 small of 0.5 kg to Ada in a box with [Ribbon]";
    asks(&able(), "ask_for_form", json!({ "input": order }), text).await;
}

#[tokio::test]
async fn clients_are_asked_for_what_they_declared_only() {
    let sampling = client().capabilities(json!({ "sampling": {} }));
    let params = json!({ "name": "test_input_required_result_capabilities", "arguments": {} });
    let asked = sampling.request("tools/call", params).await.unwrap();
    let keys: Vec<_> = asked["inputRequests"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["greeting"]);
    let error = client().call("test_missing_capability", json!({})).await.unwrap_err();
    assert_eq!(error.data(), Some(&json!({ "requiredCapabilities": { "sampling": {} } })));
    gives("ask_for_page", json!({}), "please open https://example.com/connect yourself").await;
}

/// The form that a tool asks for.
async fn form(name: &str, arguments: Value) -> Value {
    let asked = able().request("tools/call", json!({ "name": name, "arguments": arguments })).await.unwrap();
    asked["inputRequests"]["input"]["params"]["requestedSchema"].clone()
}

#[tokio::test]
async fn forms_are_those_that_the_suite_of_2025_prescribes() {
    let user = json!({
        "type": "object",
        "properties": {
            "username": { "type": "string", "description": "User's response" },
            "email": { "type": "string", "description": "User's email address" }
        },
        "required": ["username", "email"]
    });
    assert_eq!(form("test_elicitation", json!({ "message": "Who are you?" })).await, user);
    let defaults = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
            "verified": { "type": "boolean", "default": true }
        }
    });
    assert_eq!(form("test_elicitation_sep1034_defaults", json!({})).await, defaults);
    let options = json!(["option1", "option2", "option3"]);
    let titled = |what: &str| {
        let titled = |(n, nth)| json!({ "const": format!("value{n}"), "title": format!("{nth} {what}") });
        json!([(1, "First"), (2, "Second"), (3, "Third")].map(titled))
    };
    let choices = json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": options },
            "titledSingle": { "type": "string", "oneOf": titled("Option") },
            "legacyEnum": {
                "type": "string", "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"]
            },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": options } },
            "titledMulti": { "type": "array", "items": { "anyOf": titled("Choice") } }
        },
        "required": ["untitledSingle", "titledSingle", "legacyEnum", "untitledMulti", "titledMulti"]
    });
    assert_eq!(form("test_elicitation_sep1330_enums", json!({})).await, choices);
}

#[tokio::test]
async fn answers_come_back_as_the_suite_of_2025_prescribes() {
    let able = able();
    let filled = json!({ "name": "Jane", "age": 25, "score": 88, "status": "inactive", "verified": false });
    let text = r#"Elicitation completed: action=accept, content={"name":"Jane","age":25,"score":88.0,"status":"inactive","verified":false}"#;
    asks(&able, "test_elicitation_sep1034_defaults", json!({ "input": accept(filled) }), text).await;
    let chosen = json!({
        "untitledSingle": "option1", "titledSingle": "value1", "legacyEnum": "opt1",
        "untitledMulti": ["option1", "option2"], "titledMulti": ["value1", "value2"]
    });
    let text = format!("Elicitation completed: action=accept, content={chosen}");
    asks(&able, "test_elicitation_sep1330_enums", json!({ "input": accept(chosen) }), &text).await;
    let refused = able.call("test_elicitation", json!({ "message": "Who are you?" }));
    let refused = refused.answer("input", json!({ "action": "decline" })).await.unwrap();
    assert_eq!(refused.text(), "User response: action=decline, content={}");
    let said = json!({ "role": "assistant", "content": { "type": "text", "text": "Hi!" }, "model": "m" });
    let sampled = able.call("test_sampling", json!({ "prompt": "Say hi" })).answer("input", said);
    assert_eq!(sampled.await.unwrap().text(), "LLM response: Hi!");
}

#[tokio::test]
async fn what_is_given_up_is_counted() {
    let client = client();
    assert_eq!(client.call("run_slowly", json!({})).await.unwrap().text(), "took 0 s");
    assert_eq!(client.call("run_given_up", json!({})).await.unwrap().text(), "0");
    let slow = client.call("run_slowly", json!({ "seconds": 300 })).into_future();
    assert!(tokio::time::timeout(std::time::Duration::from_millis(50), slow).await.is_err());
    assert_eq!(client.call("run_given_up", json!({})).await.unwrap().text(), "1");
}
