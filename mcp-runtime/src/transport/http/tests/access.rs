//! `Host` and `Origin` (Security & Endpoint), and pages of other origins.

use http::{HeaderMap, Method, Request, Version};
use serde_json::Value;

use super::client::{Answer, Served, add, call, post, post_with, set, unset};
use super::fixture::server;
use crate::Server;

async fn send(server: Server, change: impl FnOnce(&mut HeaderMap)) -> Answer {
    Answer::of(call(&server.into_service().unwrap(), post_with(&add(), change)).await).await
}

#[tokio::test]
async fn loopback_hosts_are_allowed_at_any_port() {
    for host in ["localhost", "localhost:1", "LocalHost", "127.0.0.1:8080", "127.1.2.3", "[::1]:8080"] {
        assert_eq!(send(server(), set("host", host)).await.text(), "3", "{host}");
    }
}

/// C5 of the collected client reports.
#[tokio::test]
async fn another_host_is_refused_with_the_way_to_allow_it() {
    for host in ["api.example.com", "api.example.com:443", "localhost.evil.com", "10.0.0.1:80", "evil"] {
        let answer = send(server(), set("host", host)).await;
        assert_eq!(answer.refusal(), (403, Value::Null, -32600), "{host}");
    }
    let answer = send(server(), set("host", "api.example.com:443")).await;
    assert_eq!(
        answer.message(),
        "Invalid Request: the host \"api.example.com\" is not allowed; if this server is meant to be reached by \
         that name, allow it with `Server::allow_host(\"api.example.com\")` or `--allow-host api.example.com`"
    );
    let allowed = || server().allow_host("api.example.com").allow_host("*.internal");
    for host in ["api.example.com", "api.example.com:443", "a.b.internal", "localhost"] {
        assert_eq!(send(allowed(), set("host", host)).await.text(), "3", "{host}");
    }
    assert_eq!(send(allowed(), set("host", "internal")).await.status, 403);
    assert_eq!(send(server().allow_host("*"), set("host", "anything")).await.text(), "3");
}

#[tokio::test]
async fn a_host_that_is_missing_or_none_is_400() {
    assert_eq!(send(server(), unset("host")).await.refusal(), (400, Value::Null, -32600));
    for host in ["", "a b", "user@localhost", "localhost:port", "localhost, evil.com"] {
        assert_eq!(send(server(), set("host", host)).await.status, 400, "{host}");
    }
    let twice = |headers: &mut HeaderMap| {
        headers.append("host", "localhost".parse().unwrap());
    };
    assert_eq!(send(server(), twice).await.status, 400);
}

#[tokio::test]
async fn every_host_of_a_request_counts() {
    let service = server().into_service().unwrap();
    let to = async |uri: &str, host: Option<&str>| {
        let mut request = post_with(&add(), unset("host"));
        *request.uri_mut() = uri.parse().unwrap();
        *request.version_mut() = Version::HTTP_2;
        if let Some(host) = host {
            request.headers_mut().insert("host", host.parse().unwrap());
        }
        Answer::of(call(&service, request).await).await.status.as_u16()
    };
    assert_eq!(to("http://localhost:1/mcp", None).await, 200);
    assert_eq!(to("http://evil.example.com/mcp", None).await, 403);
    assert_eq!(to("http://evil.example.com/mcp", Some("localhost")).await, 403);
    assert_eq!(to("http://localhost/mcp", Some("evil.example.com")).await, 403);
}

#[tokio::test]
async fn a_refused_host_is_refused_over_a_socket() {
    let served = Served::new(server()).await;
    assert_eq!(served.send(post_with(&add(), set("host", "evil.example.com"))).await.status, 403);
    assert_eq!(served.send(post(&add())).await.status, 200);
}

#[tokio::test]
async fn origins_of_the_loopback_and_of_allowed_hosts_may_call() {
    let allowed = || server().allow_host("api.example.com").allow_origin("https://app.example.org/");
    for origin in [
        "http://localhost",
        "http://localhost:6274",
        "https://127.0.0.1:1",
        "http://[::1]:3000",
        "https://api.example.com",
        "https://app.example.org",
    ] {
        assert_eq!(send(allowed(), set("origin", origin)).await.text(), "3", "{origin}");
    }
    for origin in [
        "null",
        "",
        "https://evil.example.com",
        "http://localhost.evil.com",
        "https://app.example.org.evil.com",
        "https://app.example.org:8443",
        "http://app.example.org",
        "localhost",
        "http://localhost/path",
    ] {
        let answer = send(allowed(), set("origin", origin)).await;
        assert_eq!(answer.refusal(), (403, Value::Null, -32600), "{origin}");
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
    let answer = send(server(), set("origin", "https://app.example.org")).await;
    assert!(answer.message().contains("`Server::allow_origin(\"https://app.example.org\")`"));
}

#[tokio::test]
async fn any_host_is_not_any_origin() {
    let any_host = || server().allow_host("*");
    assert_eq!(send(any_host(), set("origin", "https://evil.example.com")).await.status, 403);
    let any_origin = || server().allow_origin("*");
    assert_eq!(send(any_origin(), set("origin", "https://evil.example.com")).await.text(), "3");
    assert_eq!(send(any_origin(), set("origin", "null")).await.status, 403);
}

#[tokio::test]
async fn an_allowed_page_can_ask_and_read() {
    let service = server().allow_origin("https://app.example.org").into_service().unwrap();
    let preflight = |origin: &'static str| {
        Request::builder()
            .method(Method::OPTIONS)
            .uri("/mcp")
            .header("host", "localhost")
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "content-type,mcp-method,mcp-param-region")
            .body(http_body_util::Empty::new())
            .unwrap()
    };
    let answer = Answer::of(call(&service, preflight("https://app.example.org")).await).await;
    assert_eq!((answer.status.as_u16(), answer.body.as_str()), (204, ""));
    assert_eq!(answer.header("access-control-allow-origin"), Some("https://app.example.org"));
    assert_eq!(answer.header("access-control-allow-methods"), Some("GET, POST, DELETE"));
    assert_eq!(
        answer.header("access-control-allow-headers"),
        Some("content-type,mcp-method,mcp-param-region")
    );
    let answer = Answer::of(call(&service, preflight("https://evil.example.com")).await).await;
    assert_eq!(answer.status, 403);

    for body in [add(), serde_json::json!({})] {
        let request = post_with(&body, set("origin", "https://app.example.org"));
        let answer = Answer::of(call(&service, request).await).await;
        assert_eq!(answer.header("access-control-allow-origin"), Some("https://app.example.org"));
        assert_eq!(answer.header("vary"), Some("origin, access-control-request-headers"));
    }
    let answer = Answer::of(call(&service, post(&add())).await).await;
    assert_eq!(answer.header("access-control-allow-origin"), None);
}
