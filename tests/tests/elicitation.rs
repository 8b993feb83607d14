//! client/elicitation: forms and pages, and what clients can do.

use mcp_tests::client;
use mcp_tests::rounds::{Rounds, accept, asked, ended, failed, keys};
use serde_json::{Value, json};

mod tools {
    use mcp_runtime::InputRequired;
    use mcp_runtime::prelude::*;

    /// Example: Simple Text Request.
    #[derive(Elicit)]
    pub(crate) struct Username {
        pub(crate) name: String,
    }

    #[derive(Elicit)]
    pub(crate) struct Contact {
        /// Your full name
        name: String,
        /// Your email address
        #[elicit(format = "email")]
        email: String,
        /// Your age
        #[elicit(range(18..))]
        age: Option<f64>,
    }

    pub(crate) fn told<T>(answer: Answer<T>, tell: impl FnOnce(T) -> String) -> String {
        match answer {
            Answer::Accept(value) => tell(value),
            Answer::Decline => "declined".to_owned(),
            Answer::Cancel => "cancelled".to_owned(),
        }
    }

    #[tool]
    async fn username(ctx: &Context) -> Result<String> {
        let answer = ctx.elicit::<Username>("Please provide your GitHub username").await?;
        Ok(told(answer, |user| user.name))
    }

    #[tool]
    async fn contact(ctx: &Context) -> Result<String> {
        let answer = ctx.elicit::<Contact>("Please provide your contact information").await?;
        Ok(told(answer, |contact| format!("{} {} {:?}", contact.name, contact.email, contact.age)))
    }

    #[tool]
    async fn api_key(ctx: &Context) -> Result<String> {
        let asked = ctx
            .elicit_url("Please provide your API key to continue.", "https://mcp.example.com/ui/set_api_key");
        Ok(told(asked.await?, |()| "consented".to_owned()))
    }

    #[tool]
    async fn nowhere(ctx: &Context) -> Result<String> {
        Ok(format!("{:?}", ctx.elicit_url("Go", "not an address").await.ok()))
    }

    #[tool]
    async fn paragraphs(ctx: &Context) -> Result<String> {
        let answer = ctx.elicit::<Username>("Who?\n\nThis cannot be undone.").await?;
        Ok(told(answer, |user| user.name))
    }

    #[tool]
    async fn swallows(ctx: &Context) -> String {
        ctx.elicit::<Username>("Who?")
            .await
            .ok()
            .and_then(Answer::accepted)
            .map_or("nobody".into(), |u| u.name)
    }

    #[tool]
    async fn text_error(ctx: &Context) -> std::result::Result<String, String> {
        let answer = ctx.elicit::<Username>("Who?").await.map_err(|error| error.to_string())?;
        Ok(told(answer, |user| user.name))
    }

    #[tool]
    fn by_hand_form() -> std::result::Result<String, InputRequired> {
        Err(InputRequired::new().elicit::<Username>("who", "Who?"))
    }

    #[tool]
    fn by_hand_page() -> std::result::Result<String, InputRequired> {
        Err(InputRequired::new().elicit_url("page", "Go", "https://example.com"))
    }

    #[tool]
    fn by_hand_nowhere() -> std::result::Result<String, InputRequired> {
        Err(InputRequired::new().elicit_url("page", "Go", "/relative"))
    }

    #[tool]
    fn can(ctx: &Context) -> String {
        let client = ctx.client();
        let can = [client.can_elicit(), client.can_elicit_url(), client.can_sample(), client.has_roots()];
        can.map(|can| if can { '1' } else { '0' }).iter().collect()
    }
}

fn tools() -> mcp_runtime::testing::Client {
    client(concat!(module_path!(), "::tools"))
}

/// "Example: Simple Text Request", word for word.
#[tokio::test]
async fn a_simple_text_request() {
    let client = tools();
    let call = Rounds::call(&client, "username", json!({}));
    let asked = asked(&call.begin().await);
    assert_eq!(
        asked.requests,
        json!({ "input": {
            "method": "elicitation/create",
            "params": {
                "mode": "form",
                "message": "Please provide your GitHub username",
                "requestedSchema": {
                    "type": "object",
                    "properties": { "name": { "type": "string" } },
                    "required": ["name"]
                }
            }
        }})
    );
    let answer = call.answer(&asked, json!({ "input": accept(json!({ "name": "octocat" })) })).await;
    assert_eq!(ended(&answer), "octocat");
}

/// "Example: Structured Data Request", word for word.
#[tokio::test]
async fn a_structured_data_request() {
    let client = tools();
    let call = Rounds::call(&client, "contact", json!({}));
    let asked = asked(&call.begin().await);
    assert_eq!(
        asked.requests["input"]["params"]["requestedSchema"],
        json!({
            "type": "object",
            "properties": {
                "name": { "type": "string", "description": "Your full name" },
                "email": { "type": "string", "format": "email", "description": "Your email address" },
                "age": { "type": "number", "minimum": 18, "description": "Your age" }
            },
            "required": ["name", "email"]
        })
    );
    let content = json!({ "name": "Monalisa Octocat", "email": "octocat@github.com", "age": 30 });
    let answer = call.answer(&asked, json!({ "input": accept(content) })).await;
    assert_eq!(ended(&answer), "Monalisa Octocat octocat@github.com Some(30.0)");
}

/// "Example: Request Sensitive Data", word for word. "For URL mode: The `content` field is omitted".
#[tokio::test]
async fn a_page_for_sensitive_data() {
    let client = tools();
    let call = Rounds::call(&client, "api_key", json!({}));
    let asked = asked(&call.begin().await);
    assert_eq!(
        asked.requests,
        json!({ "input": {
            "method": "elicitation/create",
            "params": {
                "mode": "url",
                "message": "Please provide your API key to continue.",
                "url": "https://mcp.example.com/ui/set_api_key"
            }
        }})
    );
    for (response, end) in [
        (json!({ "action": "accept" }), "consented"),
        (json!({ "action": "decline" }), "declined"),
        (json!({ "action": "cancel" }), "cancelled"),
    ] {
        let answer = call.answer(&asked, json!({ "input": response })).await;
        assert_eq!(ended(&answer), end);
    }
}

/// "The `url` parameter MUST contain a valid URL."
#[tokio::test]
async fn what_is_no_address_is_never_sent() {
    let client = tools();
    for tool in ["nowhere", "by_hand_nowhere"] {
        let answer = Rounds::call(&client, tool, json!({})).begin().await;
        assert_eq!(
            failed(&answer),
            (-32603, "The handler sends the person to something that is no address"),
            "{tool}"
        );
    }
}

/// "Decline and Cancel: the `content` field is typically omitted."
#[tokio::test]
async fn people_decline_and_turn_away() {
    let client = tools();
    let call = Rounds::call(&client, "username", json!({}));
    let asked = asked(&call.begin().await);
    for (action, end) in [("decline", "declined"), ("cancel", "cancelled")] {
        for response in [
            json!({ "action": action }),
            json!({ "action": action, "content": null }),
            json!({ "action": action, "content": {} }),
            json!({ "action": action, "content": { "name": 5 } }),
            json!({ "action": action, "_meta": { "a": 1 } }),
        ] {
            let answer = call.answer(&asked, json!({ "input": response })).await;
            assert_eq!(ended(&answer), end);
        }
    }
}

/// "Servers SHOULD validate received data matches the requested schema."
#[tokio::test]
async fn a_wrong_answer_is_asked_for_again_with_what_was_wrong() {
    let client = tools();
    let call = Rounds::call(&client, "contact", json!({}));
    let first = asked(&call.begin().await);
    let wrong = json!({ "name": "Mona", "email": "mona", "age": 17 });
    let second = asked(&call.answer(&first, json!({ "input": accept(wrong) })).await);
    assert_eq!(
        second.requests["input"]["params"]["message"],
        "Please provide your contact information\n\n\
         email: must be an e-mail address like name@example.com, not \"mona\"\n\
         age: must be at least 18, not 17"
    );
    assert_eq!(
        second.requests["input"]["params"]["requestedSchema"],
        first.requests["input"]["params"]["requestedSchema"]
    );
    // What was wrong before is not piled up.
    let wrong = json!({ "name": "Mona", "email": "mona@example.com", "age": "old" });
    let third = asked(&call.answer(&second, json!({ "input": accept(wrong) })).await);
    let message = third.requests["input"]["params"]["message"].as_str().expect("a message");
    assert!(message.starts_with("Please provide your contact information\n\nage: "), "{message}");
    assert_eq!(message.matches("\n\n").count(), 1, "{message}");
    let right = json!({ "name": "Mona", "email": "mona@example.com" });
    let answer = call.answer(&third, json!({ "input": accept(right) })).await;
    assert_eq!(ended(&answer), "Mona mona@example.com None");
}

#[tokio::test]
async fn an_accepted_form_without_content_is_asked_for_again() {
    let client = tools();
    let call = Rounds::call(&client, "username", json!({}));
    let first = asked(&call.begin().await);
    for response in [json!({ "action": "accept" }), json!({ "action": "accept", "content": null })] {
        let again = asked(&call.answer(&first, json!({ "input": response })).await);
        assert_eq!(keys(&again), ["input"]);
    }
}

#[tokio::test]
async fn a_message_of_several_paragraphs_is_kept_whole() {
    let client = tools();
    let call = Rounds::call(&client, "paragraphs", json!({}));
    let first = asked(&call.begin().await);
    let second = asked(&call.answer(&first, json!({ "input": accept(json!({ "name": 1 })) })).await);
    let message = second.requests["input"]["params"]["message"].as_str().expect("a message");
    assert!(message.starts_with("Who?\n\nThis cannot be undone.\n\nname: "), "{message}");
}

fn missing(answer: &Value) -> (i64, &Value) {
    (answer["error"]["code"].as_i64().unwrap_or_default(), &answer["error"]["data"])
}

/// "Servers MUST NOT send elicitation requests with modes that are not supported by the client."
#[tokio::test]
async fn what_a_client_did_not_declare_is_never_sent() {
    let client = tools();
    let form = json!({ "requiredCapabilities": { "elicitation": { "form": {} } } });
    let page = json!({ "requiredCapabilities": { "elicitation": { "url": {} } } });
    let no_forms = [
        json!({}),
        json!({ "elicitation": { "url": {} } }),
        json!({ "elicitation": null }),
        json!({ "roots": {} }),
    ];
    for capabilities in no_forms {
        for tool in ["username", "swallows", "text_error", "by_hand_form"] {
            let call = Rounds::call(&client, tool, json!({})).declaring(capabilities.clone());
            assert_eq!(missing(&call.begin().await), (-32021, &form), "{tool} {capabilities}");
        }
    }
    let no_pages = [
        json!({}),
        json!({ "elicitation": {} }),
        json!({ "elicitation": { "form": {} } }),
        json!({ "elicitation": { "url": null } }),
    ];
    for capabilities in no_pages {
        for tool in ["api_key", "by_hand_page"] {
            let call = Rounds::call(&client, tool, json!({})).declaring(capabilities.clone());
            assert_eq!(missing(&call.begin().await), (-32021, &page), "{tool} {capabilities}");
        }
    }
}

/// "An empty capabilities object is equivalent to declaring support for `form` mode only."
#[tokio::test]
async fn handlers_see_what_a_client_can_do() {
    let client = tools();
    for (capabilities, can) in [
        (json!({}), "0000"),
        (json!({ "elicitation": {} }), "1000"),
        (json!({ "elicitation": { "form": {} } }), "1000"),
        (json!({ "elicitation": { "url": {} } }), "0100"),
        (json!({ "elicitation": { "form": {}, "url": {} } }), "1100"),
        (json!({ "elicitation": { "form": null, "url": {} } }), "0100"),
        (json!({ "elicitation": null, "sampling": null, "roots": null }), "0000"),
        (json!({ "sampling": {} }), "0010"),
        (json!({ "roots": { "listChanged": true } }), "0001"),
    ] {
        let answer = Rounds::call(&client, "can", json!({})).declaring(capabilities.clone()).begin().await;
        assert_eq!(ended(&answer), can, "{capabilities}");
    }
}

/// "The requests in each step are completely independent": each is judged by what it declares itself.
#[tokio::test]
async fn capabilities_are_those_of_each_round() {
    let client = tools();
    let first = asked(&Rounds::call(&client, "username", json!({})).begin().await);
    let call = Rounds::call(&client, "username", json!({})).declaring(json!({}));
    let answer = call.answer(&first, json!({ "input": accept(json!({ "name": "octocat" })) })).await;
    assert_eq!(missing(&answer).0, -32021);
}
