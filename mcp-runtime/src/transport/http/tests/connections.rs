//! HTTP/2, and the end of a server.

use bytes::Bytes;
use http::{Request, Version};
use http_body_util::Full;
use hyper::client::conn::http2::SendRequest;
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{Duration, Instant};

use super::client::{Answer, Served, add, next_piece, post, post_with, set, soon, tool};
use super::fixture::{Gate, server};

async fn http2(served: &Served) -> SendRequest<Full<Bytes>> {
    let stream = TcpStream::connect(served.address).await.unwrap();
    let io = TokioIo::new(stream);
    let (sender, connection) = hyper::client::conn::http2::handshake(TokioExecutor::new(), io).await.unwrap();
    tokio::spawn(connection);
    sender
}

/// HTTP/2 says `:authority` instead of `Host`.
fn to_authority(body: &Value, authority: &str) -> Request<Full<Bytes>> {
    let mut request = post(body);
    request.headers_mut().remove("host");
    *request.uri_mut() = format!("http://{authority}/mcp").parse().unwrap();
    *request.version_mut() = Version::HTTP_2;
    request
}

#[tokio::test]
async fn http2_is_spoken_with_prior_knowledge() {
    let served = Served::new(server()).await;
    let mut client = http2(&served).await;
    let response = soon(client.send_request(to_authority(&add(), "localhost:1"))).await.unwrap();
    assert_eq!(response.version(), Version::HTTP_2);
    assert_eq!(Answer::of(response).await.text(), "3");
    let say = to_authority(&tool("http_say", &json!({})), "127.0.0.1");
    let response = soon(client.send_request(say)).await.unwrap();
    assert_eq!(Answer::of(response).await.events().len(), 3);
    let refused = soon(client.send_request(to_authority(&add(), "evil.example.com"))).await.unwrap();
    assert_eq!(refused.status(), 403);
}

#[tokio::test]
async fn a_reset_of_one_stream_cancels_its_call_alone() {
    let served = Served::new(server()).await;
    let mut client = http2(&served).await;
    let open = async |client: &mut SendRequest<Full<Bytes>>, gate: &mut Gate| {
        let body = tool("http_progress", &json!({ "gate": gate.name }));
        let mut response =
            soon(client.send_request(to_authority(&body, "localhost"))).await.unwrap().into_body();
        gate.started().await;
        assert!(soon(next_piece(&mut response)).await.is_some());
        response
    };
    let (mut dropped, mut kept) = (Gate::new("reset"), Gate::new("not reset"));
    let first = open(&mut client, &mut dropped).await;
    let mut second = open(&mut client, &mut kept).await;
    drop(first);
    dropped.ended().await;
    kept.release();
    assert!(soon(next_piece(&mut second)).await.unwrap().contains("released"));
}

#[tokio::test]
async fn a_stop_lets_what_is_in_flight_finish() {
    let mut served = Served::new(server().shutdown_grace(Duration::from_secs(60))).await;
    let mut idle = served.stream(b"").await;
    let mut gate = Gate::new("stop");
    let waiting = tool("http_wait", &json!({ "gate": gate.name }));
    let waiting = served.open_later(post_with(&waiting, set("accept", "application/json")));
    let streaming_gate = &mut Gate::new("stop a stream");
    let streaming = tool("http_progress", &json!({ "gate": streaming_gate.name }));
    let mut streaming = served.open(post(&streaming)).await;
    gate.started().await;
    streaming_gate.started().await;
    let address = served.address;
    let stopped = served.stop();

    // A connection without a request is closed at once, and there is nobody to take another.
    assert_eq!(soon(idle.read(&mut [0])).await.unwrap(), 0);
    assert!(TcpStream::connect(address).await.is_err());
    assert!(!stopped.is_finished());
    gate.release();
    let answer = Answer::of(soon(waiting).await.unwrap()).await;
    assert_eq!(answer.text(), "released");
    assert_eq!(answer.header("connection"), Some("close"));
    streaming_gate.release();
    let mut rest = String::new();
    while let Some(piece) = soon(next_piece(streaming.body_mut())).await {
        rest.push_str(&piece);
    }
    assert!(rest.contains("released"), "{rest}");
    soon(stopped).await.unwrap();
}

#[tokio::test]
async fn a_stop_ends_what_takes_longer_than_the_grace() {
    let mut served = Served::new(server().shutdown_grace(Duration::ZERO)).await;
    let mut gate = Gate::new("no grace");
    let request = post(&tool("http_progress", &json!({ "gate": gate.name })));
    let _response = served.open(request).await;
    gate.started().await;
    soon(served.stop()).await.unwrap();
    gate.ended().await;
}

/// Time jumps to whatever is waited for next; the sockets are real.
#[tokio::test(start_paused = true)]
async fn a_connection_that_asks_for_nothing_is_closed() {
    let served = Served::new(server()).await;
    for bytes in ["", "PRI * HTTP/2.0", "POST /mcp HTTP/1.1\r\nhost:"] {
        let before = Instant::now();
        let mut stream = served.stream(bytes.as_bytes()).await;
        assert_eq!(stream.read(&mut [0]).await.unwrap(), 0, "{bytes:?}");
        assert_eq!(before.elapsed().as_secs(), 10, "{bytes:?}");
    }
}

#[tokio::test]
async fn headers_have_a_limit() {
    let served = Served::new(server()).await;
    let answer = served.raw(format!("POST /mcp HTTP/1.1\r\nx: {}\r\n", "y".repeat(66_000)).as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
}

/// A client that only reads once it has sent everything still learns why it is refused.
#[tokio::test]
async fn a_refusal_reaches_a_client_that_is_still_sending() {
    let served = Served::new(server()).await;
    let size = 16 * 1024 * 1024;
    for (host, status) in [("localhost", "413 Payload Too Large"), ("evil.example.com", "403 Forbidden")] {
        let head = format!(
            "POST /mcp HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: {size}\r\n\r\n"
        );
        let mut stream = served.stream(head.as_bytes()).await;
        soon(stream.write_all(&vec![b' '; size])).await.unwrap();
        stream.shutdown().await.unwrap();
        let mut answer = String::new();
        soon(stream.read_to_string(&mut answer)).await.unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{answer}");
    }
}
