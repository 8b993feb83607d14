//! The service in somebody else's router.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use http::Request;
use serde_json::json;
use tokio::net::TcpListener;
use tower_service::Service as _;

use super::client::{Answer, add, next_piece, post, post_with, set, soon, tool};
use super::fixture::{Gate, server};

async fn send(app: &Router, path: &str, mut request: Request<http_body_util::Full<bytes::Bytes>>) -> Answer {
    *request.uri_mut() = path.parse().unwrap();
    let Ok(response) = app.clone().call(request).await;
    Answer::of(response).await
}

#[tokio::test]
async fn it_mounts_under_any_path() {
    let service = server().endpoint("/not-checked").into_service().unwrap();
    let app = Router::new()
        .route_service("/mcp", service.clone())
        .nest_service("/any/path", service.clone())
        .fallback_service(service);
    for path in ["/mcp", "/any/path", "/any/path/", "/any/path/deeper", "/elsewhere"] {
        assert_eq!(send(&app, path, post(&add())).await.text(), "3", "{path}");
    }
    let answer = send(&app, "/mcp", post(&tool("http_say", &json!({})))).await;
    assert_eq!(answer.events().len(), 3);
}

#[tokio::test]
async fn the_same_checks_hold() {
    let app = Router::new().route_service("/mcp", server().body_limit(1000).into_service().unwrap());
    assert_eq!(send(&app, "/mcp", post_with(&add(), set("host", "evil.com"))).await.status, 403);
    assert_eq!(send(&app, "/mcp", post_with(&add(), set("origin", "http://evil.com"))).await.status, 403);
    assert_eq!(send(&app, "/mcp", post_with(&add(), set("mcp-name", "b"))).await.status, 400);
    let mut large = post(&add());
    *large.body_mut() = " ".repeat(1001).into();
    assert_eq!(send(&app, "/mcp", large).await.status, 413);
}

#[tokio::test]
async fn a_limit_in_front_is_told_as_one() {
    let service = server().into_service().unwrap();
    let app = Router::new().route_service("/mcp", service).layer(DefaultBodyLimit::max(10));
    // The layer sets the limit of axum's own extractors alone.
    assert_eq!(send(&app, "/mcp", post(&add())).await.text(), "3");
    let (parts, body) = post(&add()).into_parts();
    let limited = Request::from_parts(parts, http_body_util::Limited::new(body, 10));
    let Ok(response) = server().into_service().unwrap().call(limited).await;
    assert_eq!(Answer::of(response).await.status, 413);
}

#[tokio::test]
async fn a_disconnect_cancels_there_too() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = Router::new().route_service("/mcp", server().into_service().unwrap());
    let serving = tokio::spawn(async move { axum::serve(listener, app).await });
    let stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let io = hyper_util::rt::TokioIo::new(stream);
    let (mut sender, connection) = hyper::client::conn::http1::handshake(io).await.unwrap();
    let connection = tokio::spawn(connection);
    let mut gate = Gate::new("axum");
    let request = post(&tool("http_progress", &json!({ "gate": gate.name })));
    let mut response = soon(sender.send_request(request)).await.unwrap();
    gate.started().await;
    assert!(soon(next_piece(response.body_mut())).await.is_some());
    drop(response);
    connection.abort();
    gate.ended().await;
    serving.abort();
}
