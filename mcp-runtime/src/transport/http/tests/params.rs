//! Custom headers against arguments (Custom Headers from Tool Parameters).

use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};

use super::client::{Answer, call, post_with, tool};
use super::fixture::server;

/// The message of the mismatch; `None` for a call that is served.
async fn verdict(arguments: Value, headers: &[(&'static str, &str)]) -> Option<String> {
    verdict_of(&tool("http_mirror", &arguments), headers).await
}

async fn verdict_of(body: &Value, given: &[(&'static str, &str)]) -> Option<String> {
    let add = |headers: &mut HeaderMap| {
        for (name, value) in given {
            let name: HeaderName = name.parse().unwrap();
            headers.append(name, HeaderValue::from_str(value).unwrap());
        }
    };
    let service = server().into_service().unwrap();
    let answer = Answer::of(call(&service, post_with(body, add)).await).await;
    if answer.status == 200 {
        return None;
    }
    assert_eq!(answer.refusal(), (400, json!(7), -32020));
    Some(answer.message().strip_prefix("Header mismatch: ").unwrap().to_owned())
}

#[tokio::test]
async fn a_value_needs_its_header() {
    assert_eq!(verdict(json!({ "region": "us-west1" }), &[("Mcp-Param-Region", "us-west1")]).await, None);
    assert_eq!(
        verdict(json!({ "region": "us-west1" }), &[]).await.as_deref(),
        Some("the Mcp-Param-Region header is missing; the body value is 'us-west1'")
    );
    assert_eq!(
        verdict(json!({ "region": "us-west1" }), &[("mcp-param-region", "eu")]).await.as_deref(),
        Some("Mcp-Param-Region header value 'eu' does not match body value 'us-west1'")
    );
}

/// "Parameter value is `null`" and "Parameter not in arguments": "Server MUST NOT expect the header".
#[tokio::test]
async fn no_value_needs_none() {
    assert_eq!(verdict(json!({}), &[]).await, None);
    assert_eq!(verdict(Value::Null, &[]).await, None);
    assert_eq!(verdict(json!({ "region": null }), &[]).await, None);
    for arguments in [json!({}), json!({ "region": null })] {
        assert_eq!(
            verdict(arguments, &[("mcp-param-region", "eu")]).await.as_deref(),
            Some("Mcp-Param-Region header value 'eu' has no value in the body to match")
        );
    }
    // What no parameter is mirrored in is somebody else's.
    assert_eq!(verdict(json!({}), &[("mcp-param-other", "eu")]).await, None);
}

/// The table of "Value Encoding".
#[tokio::test]
async fn encoded_values_are_decoded() {
    for (value, header) in [
        ("us-west1", "us-west1"),
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("=?base64?SGVsbG8=", "=?base64?SGVsbG8="),
        ("Hello", "=?base64?SGVsbG8=?="),
        ("", ""),
    ] {
        assert_eq!(
            verdict(json!({ "region": value }), &[("mcp-param-region", header)]).await,
            None,
            "{value}"
        );
    }
    for header in ["=?base64?SGVsbG8?=", "=?base64?SGVs!!!bG8=?="] {
        let fault = format!("Mcp-Param-Region header value '{header}' is not valid Base64");
        assert_eq!(verdict(json!({ "region": "Hello" }), &[("mcp-param-region", header)]).await, Some(fault));
    }
    assert!(verdict(json!({ "region": " padded " }), &[("mcp-param-region", " padded ")]).await.is_some());
}

#[tokio::test]
async fn numbers_and_booleans_are_compared_by_value() {
    for (arguments, header, value) in [
        (json!({ "count": 42 }), "mcp-param-count", "42.0"),
        (json!({ "count": -7 }), "mcp-param-count", "-7"),
        (json!({ "dry": true }), "mcp-param-dry-run", "true"),
        (json!({ "dry": false }), "mcp-param-dry-run", "false"),
    ] {
        assert_eq!(verdict(arguments, &[(header, value)]).await, None);
    }
    for (arguments, header, value) in [
        (json!({ "count": 42 }), "mcp-param-count", "43"),
        (json!({ "count": 42 }), "mcp-param-count", "many"),
        (json!({ "dry": true }), "mcp-param-dry-run", "True"),
        (json!({ "dry": true }), "mcp-param-dry-run", "false"),
    ] {
        assert!(verdict(arguments, &[(header, value)]).await.is_some(), "{header}: {value}");
    }
}

#[tokio::test]
async fn a_nested_value_is_read_at_its_exact_path() {
    let zone = json!({ "options": { "other": [{}], "zone": "a" } });
    assert_eq!(verdict(zone.clone(), &[("mcp-param-zone", "a")]).await, None);
    assert!(verdict(zone.clone(), &[("mcp-param-zone", "b")]).await.is_some());
    assert!(verdict(zone, &[]).await.is_some());
    for arguments in [json!({ "options": {} }), json!({ "options": [] }), json!({ "zone": "a" })] {
        assert_eq!(verdict(arguments, &[]).await, None);
    }
    // The text of an object is decoded for the handler, so it is compared as well.
    let text = json!({ "options": "{\"zone\": \"a\"}" });
    assert_eq!(verdict(text.clone(), &[("mcp-param-zone", "a")]).await, None);
    assert!(verdict(text, &[]).await.is_some());
}

#[tokio::test]
async fn two_truths_are_refused() {
    let twice = &[("mcp-param-region", "eu"), ("mcp-param-region", "eu")];
    assert_eq!(
        verdict(json!({ "region": "eu" }), twice).await.as_deref(),
        Some("the Mcp-Param-Region header is given more than once")
    );
    let text = tool("http_mirror", &json!({ "region": "eu" })).to_string();
    let text = text.replace(r#""region":"eu""#, r#""region":"eu","region":"us""#);
    let mut request = post_with(&tool("http_mirror", &json!({})), |headers| {
        headers.insert("mcp-param-region", "eu".parse().unwrap());
    });
    *request.body_mut() = text.into();
    let answer = Answer::of(call(&server().into_service().unwrap(), request).await).await;
    assert_eq!(
        answer.message(),
        "Header mismatch: the argument `region` of the Mcp-Param-Region header is given twice"
    );
}
