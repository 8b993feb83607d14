//! server/utilities/pagination: lists in pages, with opaque, sealed cursors.

use std::collections::HashSet;

use mcp_runtime::testing::Client;
use mcp_tests::{error, names, result, server};
use serde_json::{Value, json};

/// Seven entries of each kind, in the order of their names.
mod entries {
    use mcp_runtime::prelude::*;

    macro_rules! seven {
        ($($name:ident)*) => {$(
            pub(crate) mod $name {
                use mcp_runtime::prelude::*;

                #[tool]
                fn $name() {}
            }
        )*};
    }

    seven!(a b c d e f g);

    #[prompt]
    fn one() -> &'static str {
        "1"
    }

    #[prompt]
    fn two() -> &'static str {
        "2"
    }

    #[prompt]
    fn zero() -> &'static str {
        "0"
    }

    #[resource("app://1")]
    fn r1() -> &'static str {
        "1"
    }

    #[resource("app://2")]
    fn r2() -> &'static str {
        "2"
    }

    #[resource("app://3")]
    fn r3() -> &'static str {
        "3"
    }

    #[resource("one://{x}")]
    fn t1(x: &str) -> String {
        x.to_owned()
    }

    #[resource("two://{x}")]
    fn t2(x: &str) -> String {
        x.to_owned()
    }

    #[resource("three://{x}")]
    fn t3(x: &str) -> String {
        x.to_owned()
    }
}

/// Two fixed resources, and three that a function lists.
mod computed {
    use mcp_runtime::prelude::*;

    #[resource("fixed://a")]
    fn a() -> &'static str {
        "a"
    }

    #[resource("fixed://b")]
    fn b() -> &'static str {
        "b"
    }

    #[resource("rows://{id}", list = rows)]
    fn row(id: u8) -> String {
        id.to_string()
    }

    fn rows() -> Vec<&'static str> {
        vec!["rows://1", "rows://2", "rows://3"]
    }
}

const KEYS: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const OTHER_KEYS: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff";

fn paged(module: &str, page_size: usize, keys: &str) -> Client {
    let server = server(&format!("pagination::{module}")).page_size(page_size).seal_keys(keys);
    Client::new(server).expect("it starts")
}

const LISTS: [(&str, &str); 4] = [
    ("tools/list", "tools"),
    ("resources/list", "resources"),
    ("resources/templates/list", "resourceTemplates"),
    ("prompts/list", "prompts"),
];

/// The names page by page, and the cursors between the pages.
async fn pages(client: &Client, method: &str, member: &str) -> (Vec<Vec<String>>, Vec<String>) {
    let (mut pages, mut cursors) = (Vec::new(), Vec::new());
    let mut params = json!({});
    loop {
        let page = result(client, method, params).await;
        let items = page[member].as_array().expect("a list");
        pages.push(items.iter().map(|item| item["name"].as_str().expect("a name").to_owned()).collect());
        let Some(cursor) = page.get("nextCursor") else { return (pages, cursors) };
        cursors.push(cursor.as_str().expect("\"an opaque string token\"").to_owned());
        params = json!({ "cursor": cursor });
    }
}

async fn is_invalid(client: &Client, method: &str, cursor: impl Into<Value>) {
    let cursor: Value = cursor.into();
    assert_eq!(
        error(client, method, json!({ "cursor": cursor })).await,
        json!({ "code": -32602, "message": "Invalid cursor: start again without one" }),
        "{method} {cursor}"
    );
}

/// Pagination Model: "Page size is determined by the server"; a missing `nextCursor` is the end.
#[tokio::test]
async fn a_list_comes_in_pages() {
    for (size, expected) in [
        (1, vec!["a", "b", "c", "d", "e", "f", "g"]),
        (3, vec!["a b c", "d e f", "g"]),
        (6, vec!["a b c d e f", "g"]),
        (7, vec!["a b c d e f g"]),
        (100, vec!["a b c d e f g"]),
    ] {
        let (pages, cursors) = pages(&paged("entries", size, KEYS), "tools/list", "tools").await;
        let pages: Vec<String> = pages.iter().map(|page| page.join(" ")).collect();
        assert_eq!(pages, expected);
        assert_eq!(cursors.len(), pages.len() - 1);
    }
    // Zero counts as one.
    assert_eq!(pages(&paged("entries", 0, KEYS), "tools/list", "tools").await.0.len(), 7);
}

/// Operations Supporting Pagination: all four lists.
#[tokio::test]
async fn every_list_is_paged() {
    let client = paged("entries", 2, KEYS);
    for (method, member) in LISTS {
        let (pages, cursors) = pages(&client, method, member).await;
        let all: Vec<String> = pages.concat();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len(), "{method}: nothing twice");
        assert_eq!(all.len(), if member == "tools" { 7 } else { 3 }, "{method}");
        assert!(pages[..pages.len() - 1].iter().all(|page| page.len() == 2), "{method}");
        assert_eq!(cursors.iter().collect::<HashSet<_>>().len(), cursors.len(), "{method}");
        assert_eq!(names(&client, member).await, all, "the test client follows the cursors");
    }
}

/// Resources that a function lists go on where the fixed ones end.
#[tokio::test]
async fn computed_lists_are_paged_too() {
    for size in 1..=6 {
        let client = paged("computed", size, KEYS);
        let (pages, cursors) = pages(&client, "resources/list", "resources").await;
        assert_eq!(pages.concat(), ["a", "b", "1", "2", "3"]);
        assert!(pages[..pages.len() - 1].iter().all(|page| page.len() == size));
        if size < 5 {
            is_invalid(&client, "resources/list", format!("{}x", cursors[0])).await;
        }
    }
}

/// Request Format: no cursor and `null` are the first page.
#[tokio::test]
async fn null_is_no_cursor() {
    let client = paged("entries", 3, KEYS);
    let first = result(&client, "tools/list", json!({ "cursor": null })).await;
    assert_eq!(first["tools"], result(&client, "tools/list", json!({})).await["tools"]);
}

/// Error Handling: "Invalid cursors SHOULD result in an error with code -32602 (Invalid params)."
#[tokio::test]
async fn what_is_no_cursor_is_refused() {
    let client = paged("entries", 2, KEYS);
    for (method, _) in LISTS {
        for cursor in ["", "2", "tools 2", "eyJwYWdlIjogMn0=", "optional-cursor-value", "é", "\0"] {
            is_invalid(&client, method, cursor).await;
        }
        assert_eq!(
            error(&client, method, json!({ "cursor": 2 })).await,
            json!({ "code": -32602, "message": "Invalid params: `params.cursor` must be a string, not a number" })
        );
    }
}

/// "Treat cursors as opaque tokens": one of another list, or changed anywhere, is refused.
#[tokio::test]
async fn a_foreign_or_changed_cursor_is_refused() {
    let client = paged("entries", 2, KEYS);
    let mut cursors = Vec::new();
    for (method, member) in LISTS {
        let (_, found) = pages(&client, method, member).await;
        cursors.push((method, found[0].clone()));
    }
    for (method, _) in LISTS {
        for (of, cursor) in cursors.iter().filter(|(of, _)| *of != method) {
            assert_ne!(*of, method);
            is_invalid(&client, method, cursor.as_str()).await;
        }
    }
    let cursor = &cursors[0].1;
    for at in 0..cursor.len() {
        let mut changed = cursor.clone().into_bytes();
        changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(changed).expect("it is ASCII");
        is_invalid(&client, "tools/list", changed).await;
    }
    is_invalid(&client, "tools/list", &cursor[..cursor.len() - 1]).await;
    is_invalid(&client, "tools/list", format!("{cursor}=")).await;
}

/// "Opaque": a cursor does not show where it points.
#[tokio::test]
async fn a_cursor_shows_nothing() {
    let client = paged("entries", 2, KEYS);
    let (_, cursors) = pages(&client, "tools/list", "tools").await;
    for cursor in &cursors {
        assert!(cursor.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "{cursor}");
        assert!(!cursor.contains("tools"), "{cursor}");
    }
    let lengths: HashSet<usize> = cursors.iter().map(String::len).collect();
    assert_eq!(lengths.len(), 1);
}

/// One key ring for all instances: what one sealed, another opens, and no one else.
#[tokio::test]
async fn instances_with_the_same_keys_share_cursors() {
    let (one, two) = (paged("entries", 3, KEYS), paged("entries", 3, KEYS));
    let (_, cursors) = pages(&one, "tools/list", "tools").await;
    for cursor in &cursors {
        let params = json!({ "cursor": cursor });
        let from_one = result(&one, "tools/list", params.clone()).await;
        assert_eq!(from_one["tools"], result(&two, "tools/list", params).await["tools"]);
    }
    let rotated = paged("entries", 3, &format!("{OTHER_KEYS},{KEYS}"));
    let page = result(&rotated, "tools/list", json!({ "cursor": cursors[0] })).await;
    assert_eq!(page["tools"][0]["name"], "d");
    let stranger = paged("entries", 3, OTHER_KEYS);
    is_invalid(&stranger, "tools/list", cursors[0].as_str()).await;
    let fresh = || Client::new(server("pagination::entries").page_size(3)).expect("it starts");
    let (_, own) = pages(&fresh(), "tools/list", "tools").await;
    is_invalid(&fresh(), "tools/list", own[0].as_str()).await;
}
