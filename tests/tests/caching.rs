//! server/utilities/caching: how long clients may keep what, and who may share it.

use std::time::Duration;

use mcp_runtime::Cache;
use mcp_runtime::testing::Client;
use mcp_tests::{call, client, result, server};
use serde_json::{Value, json};

mod entries {
    use mcp_runtime::prelude::*;

    #[tool]
    fn one() {}

    #[tool]
    fn two() {}

    #[prompt]
    fn prompt(flag: Option<bool>) -> String {
        format!("{flag:?}")
    }

    #[resource("app://a")]
    fn resource() -> &'static str {
        "a"
    }

    #[resource("app://b")]
    fn other() -> &'static str {
        "b"
    }

    #[resource("row://{id}")]
    fn template(id: i64) -> String {
        id.to_string()
    }
}

mod computed {
    use mcp_runtime::prelude::*;

    #[resource("row://{id}", list = rows)]
    fn row(id: i64) -> String {
        id.to_string()
    }

    fn rows() -> Vec<&'static str> {
        vec!["row://1", "row://2"]
    }
}

fn hints(result: &Value) -> (Value, Value) {
    (result["ttlMs"].clone(), result["cacheScope"].clone())
}

const LISTS: [&str; 5] =
    ["server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list"];

/// Cacheable Results: "Servers MUST include caching hints on results […] returned by" these six.
#[tokio::test]
async fn every_cacheable_result_has_hints() {
    let client = client("caching::entries");
    for method in LISTS {
        let result = result(&client, method, json!({})).await;
        assert_eq!(hints(&result), (json!(60_000), json!("public")), "{method}");
    }
    let read = result(&client, "resources/read", json!({ "uri": "app://a" })).await;
    assert_eq!(hints(&read), (json!(0), json!("private")));
}

/// Cacheable Results: no other result has them.
#[tokio::test]
async fn no_other_result_has_hints() {
    let client = client("caching::entries");
    let prompt = result(&client, "prompts/get", json!({ "name": "prompt" })).await;
    let complete = json!({
        "ref": { "type": "ref/prompt", "name": "prompt" },
        "argument": { "name": "flag", "value": "" },
    });
    for result in [
        call(&client, "one", json!({})).await,
        prompt,
        result(&client, "completion/complete", complete).await,
    ] {
        assert_eq!((result.get("ttlMs"), result.get("cacheScope")), (None, None), "{result}");
    }
}

/// Cacheable Model: what the author says, in whole milliseconds.
#[tokio::test]
async fn the_author_sets_both() {
    let server = server("caching::entries")
        .cache(Cache::private(Duration::from_micros(1_500_999)))
        .cache_reads(Cache::public(Duration::from_secs(3600)));
    let client = Client::new(server).expect("it starts");
    for method in LISTS {
        assert_eq!(
            hints(&result(&client, method, json!({})).await),
            (json!(1500), json!("private")),
            "{method}"
        );
    }
    for uri in ["app://a", "row://1"] {
        let read = result(&client, "resources/read", json!({ "uri": uri })).await;
        assert_eq!(hints(&read), (json!(3_600_000), json!("public")), "{uri}");
    }
}

/// "Servers MUST provide a `ttlMs` value that is `>= 0`", an integer.
#[tokio::test]
async fn the_longest_time_is_an_integer() {
    let client =
        Client::new(server("caching::entries").cache(Cache::public(Duration::MAX))).expect("it starts");
    let ttl = result(&client, "tools/list", json!({})).await["ttlMs"].clone();
    assert_eq!(ttl.as_u64(), Some(u64::MAX));
}

/// Interaction with Pagination: "Servers MUST apply the same `cacheScope` to all response pages".
#[tokio::test]
async fn all_pages_have_the_same_scope() {
    for module in ["caching::entries", "caching::computed"] {
        let client = Client::new(server(module).page_size(1)).expect("it starts");
        let first = result(&client, "resources/list", json!({})).await;
        let second = result(&client, "resources/list", json!({ "cursor": first["nextCursor"] })).await;
        assert_eq!(hints(&first), hints(&second), "{module}");
        assert_eq!(second.get("nextCursor"), None, "{module}");
    }
}

/// Choosing a Cache Scope: what a function lists may differ from caller to caller.
#[tokio::test]
async fn computed_lists_are_private() {
    let client = client("caching::computed");
    assert_eq!(hints(&result(&client, "resources/list", json!({})).await), (json!(0), json!("private")));
}
