//! server/utilities/completion: completing the arguments of prompts and the variables of templates.

use mcp_runtime::testing::Client;
use mcp_tests::{client, error, result};
use serde_json::{Value, json};

mod completed {
    use mcp_runtime::prelude::*;
    use mcp_runtime::{CompletionRequest, Error};
    use schemars::JsonSchema;
    use serde::Deserialize;

    pub(crate) struct Languages(pub(crate) &'static [&'static str]);

    fn plain(typed: &str) -> Vec<String> {
        vec![format!("{typed}thon"), format!("{typed}torch")]
    }

    fn fixed(_: &str) -> [&'static str; 2] {
        ["one", "two"]
    }

    fn matching(typed: &str) -> Completions {
        Completions::matching(typed, ["numpy", "python", "Pyside", "rust"])
    }

    fn with_context(typed: &str, ctx: &Context) -> Completions {
        let known = ctx.state::<Languages>().map_or(&[][..], |languages| languages.0);
        Completions::matching(typed, known.iter().copied())
    }

    async fn later(typed: &str) -> Result<Vec<String>> {
        tokio::task::yield_now().await;
        Ok(vec![typed.to_uppercase()])
    }

    async fn later_with_context(typed: &str, ctx: &Context) -> Vec<String> {
        tokio::task::yield_now().await;
        vec![format!("{typed} for {}", ctx.client().info().map_or("nobody", |info| &info.name))]
    }

    fn frameworks(request: &CompletionRequest<'_>) -> Vec<&'static str> {
        match request.argument("language") {
            Some("python") if "flask".starts_with(request.value()) => vec!["flask"],
            Some("rust") => vec!["axum", "rocket"],
            _ => Vec::new(),
        }
    }

    fn many(typed: &str) -> Vec<String> {
        let count: usize = typed.parse().unwrap_or_default();
        (0..count).map(|n| format!("v{n}")).collect()
    }

    fn failing(typed: &str) -> Result<Vec<String>> {
        match typed {
            "protocol" => Err(Error::invalid_params("not this").into()),
            _ => Err("the index is gone".into()),
        }
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub(crate) enum Style {
        Terse,
        Verbose,
        Veritable,
    }

    #[prompt]
    #[allow(clippy::too_many_arguments, reason = "one of each form")]
    fn code_review(
        #[arg(complete = plain)] plain: String,
        #[arg(complete = fixed)] fixed: Option<String>,
        #[arg(complete = matching)] matching: Option<String>,
        #[arg(complete = with_context)] language: Option<String>,
        #[arg(complete = later)] later: Option<String>,
        #[arg(complete = later_with_context)] later_with_context: Option<String>,
        #[arg(complete = frameworks)] framework: Option<String>,
        #[arg(complete = many)] many: Option<String>,
        #[arg(complete = failing)] failing: Option<String>,
        style: Option<Style>,
        flag: Option<bool>,
        free: Option<String>,
        ctx: &Context,
    ) -> String {
        format!(
            "{plain} {fixed:?} {matching:?} {language:?} {later:?} {later_with_context:?} {framework:?} {many:?} \
             {failing:?} {style:?} {flag:?} {free:?} {}",
            ctx.request_id()
        )
    }

    fn tables(typed: &str) -> Completions {
        Completions::matching(typed, ["orders", "customers"])
    }

    #[resource("db://{table}/rows/{id}{?style}")]
    fn row(#[arg(complete = tables)] table: String, id: i64, style: Option<Style>) -> String {
        format!("{table} {id} {style:?}")
    }

    #[resource("db://schema")]
    fn schema() -> &'static str {
        "schema"
    }
}

mod uncompleted {
    use mcp_runtime::prelude::*;

    #[prompt]
    fn plain(text: String) -> String {
        text
    }
}

fn completed() -> Client {
    let languages = completed::Languages(&["python", "perl", "rust"]);
    Client::new(mcp_tests::server("completion::completed").state(languages)).expect("it starts")
}

fn prompt(argument: &str, value: &str) -> Value {
    json!({
        "ref": { "type": "ref/prompt", "name": "code_review" },
        "argument": { "name": argument, "value": value },
    })
}

async fn completion(client: &Client, params: Value) -> Value {
    let result = result(client, "completion/complete", params).await;
    let completion = result["completion"].clone();
    assert_eq!(result, json!({ "completion": completion }));
    completion
}

fn all(values: &[&str]) -> Value {
    json!({ "values": values, "total": values.len(), "hasMore": false })
}

/// Requesting Completions: from functions of every form.
#[tokio::test]
async fn functions_of_every_form_complete() {
    let client = completed();
    for (argument, typed, expected) in [
        ("plain", "py", all(&["python", "pytorch"])),
        ("fixed", "x", all(&["one", "two"])),
        ("matching", "py", all(&["python", "Pyside", "numpy"])),
        ("language", "p", all(&["python", "perl"])),
        ("later", "py", all(&["PY"])),
        ("later_with_context", "py", all(&["py for ExampleClient"])),
    ] {
        assert_eq!(completion(&client, prompt(argument, typed)).await, expected, "{argument}");
    }
}

/// Requesting Completions: `context.arguments` tells what the other arguments are.
#[tokio::test]
async fn other_arguments_give_context() {
    let client = completed();
    let mut params = prompt("framework", "fla");
    params["context"] = json!({ "arguments": { "language": "python" } });
    assert_eq!(completion(&client, params.clone()).await, all(&["flask"]));
    params["context"]["arguments"]["language"] = json!("rust");
    assert_eq!(completion(&client, params.clone()).await, all(&["axum", "rocket"]));
    // What typed clients send for "not given".
    for context in [
        json!(null),
        json!({}),
        json!({ "arguments": null }),
        json!({ "arguments": {} }),
        json!({ "arguments": { "language": null } }),
    ] {
        params["context"] = context.clone();
        assert_eq!(completion(&client, params.clone()).await, all(&[]), "{context}");
    }
    assert_eq!(completion(&client, prompt("framework", "fla")).await, all(&[]));
}

/// DESIGN: "for free from enums and bools".
#[tokio::test]
async fn enums_and_booleans_complete_by_themselves() {
    let client = completed();
    for (argument, typed, expected) in [
        ("style", "", all(&["terse", "verbose", "veritable"])),
        ("style", "VER", all(&["verbose", "veritable"])),
        ("style", "bos", all(&["verbose"])),
        ("style", "x", all(&[])),
        ("flag", "", all(&["true", "false"])),
        ("flag", "t", all(&["true"])),
        ("free", "x", all(&[])),
    ] {
        assert_eq!(completion(&client, prompt(argument, typed)).await, expected, "{argument} {typed}");
    }
}

/// Completion Results: "Maximum 100 items per response", the total, and whether there are more.
#[tokio::test]
async fn at_most_a_hundred_values_are_sent() {
    let client = completed();
    for (count, shown, more) in
        [(0, 0, false), (99, 99, false), (100, 100, false), (101, 100, true), (1000, 100, true)]
    {
        let values: Vec<String> = (0..shown).map(|n| format!("v{n}")).collect();
        assert_eq!(
            completion(&client, prompt("many", &count.to_string())).await,
            json!({ "values": values, "total": count, "hasMore": more })
        );
    }
}

/// Reference Types: `ref/resource` names a template; a fixed resource has nothing to complete.
#[tokio::test]
async fn variables_of_templates_complete() {
    let client = completed();
    let params = |uri: &str, name: &str, value: &str| json!({ "ref": { "type": "ref/resource", "uri": uri }, "argument": { "name": name, "value": value } });
    let template = "db://{table}/rows/{id}{?style}";
    assert_eq!(completion(&client, params(template, "table", "ord")).await, all(&["orders"]));
    assert_eq!(
        completion(&client, params(template, "style", "t")).await["values"],
        json!(["terse", "veritable"])
    );
    assert_eq!(completion(&client, params(template, "id", "1")).await, all(&[]));
    assert_eq!(completion(&client, params("db://schema", "table", "o")).await, all(&[]));
    assert_eq!(
        error(&client, "completion/complete", params(template, "tables", "")).await,
        json!({ "code": -32602, "message": "Unknown argument: tables; did you mean `table`?" })
    );
    assert_eq!(
        error(&client, "completion/complete", params("db://{x}", "x", "")).await["code"],
        json!(-32602)
    );
}

/// Error Handling: "Invalid prompt name", "Missing required arguments": `-32602`.
#[tokio::test]
async fn what_is_unknown_or_missing_is_invalid_params() {
    let client = completed();
    let argument = json!({ "name": "plain", "value": "" });
    let reference = json!({ "type": "ref/prompt", "name": "code_review" });
    for (params, message) in [
        (
            json!({ "ref": { "type": "ref/prompt", "name": "code_revue" }, "argument": argument }),
            "Unknown prompt: code_revue; did you mean `code_review`?",
        ),
        (prompt("xyzzy", ""), "Unknown argument: xyzzy"),
        (prompt("ctx", ""), "Unknown argument: ctx"),
        (json!({ "argument": argument }), "Invalid params: `params.ref` is missing"),
        (json!({ "ref": reference }), "Invalid params: `params.argument` is missing"),
        (
            json!({ "ref": reference, "argument": { "name": "plain" } }),
            "Invalid params: `params.argument`: missing field `value`",
        ),
        (
            json!({ "ref": 5, "argument": argument }),
            "Invalid params: `params.ref`: invalid type: integer `5`, expected an object with `type` and `name` or `uri`",
        ),
        (
            json!({ "ref": reference, "argument": "plain" }),
            "Invalid params: `params.argument`: invalid type: string \"plain\", expected an object with `name` and `value`",
        ),
        (
            json!({ "ref": reference, "argument": argument, "context": [] }),
            "Invalid params: `params.context`: invalid length 0, expected an object with `arguments`",
        ),
        (
            json!({ "ref": { "type": "ref/tool", "name": "x" }, "argument": argument }),
            "Invalid params: `params.ref`: unknown variant `ref/tool`, expected `ref/prompt` or `ref/resource`",
        ),
    ] {
        assert_eq!(
            error(&client, "completion/complete", params).await,
            json!({ "code": -32602, "message": message })
        );
    }
}

/// Error Handling: "Internal errors: `-32603`".
#[tokio::test]
async fn a_failure_is_an_internal_error() {
    let client = completed();
    assert_eq!(
        error(&client, "completion/complete", prompt("failing", "x")).await,
        json!({ "code": -32603, "message": "the index is gone" })
    );
    assert_eq!(
        error(&client, "completion/complete", prompt("failing", "protocol")).await,
        json!({ "code": -32602, "message": "not this" })
    );
}

/// Error Handling: "Method not found: `-32601` (Capability not supported)".
#[tokio::test]
async fn a_server_without_completions_has_no_such_method() {
    let client = client("completion::uncompleted");
    assert_eq!(
        error(&client, "completion/complete", prompt("plain", "")).await,
        json!({ "code": -32601, "message": "Method not found: completion/complete" })
    );
}
