//! The message in the body of a POST.

use std::pin::pin;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use http::{HeaderMap, StatusCode};
use http_body::Body;
use http_body_util::BodyExt as _;

use super::refusal::Refusal;

/// The longest that a message may take to arrive.
pub(super) const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// An error of any kind.
pub(super) type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Accepts JSON, whatever its parameters: the only charset that JSON has is UTF-8.
pub(super) fn check_content_type(headers: &HeaderMap) -> Result<(), Refusal> {
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let media = values.next().and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = media.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") || values.next().is_some() {
        let found = if media.is_empty() { "missing".to_owned() } else { format!("{media:?}") };
        let message = format!("send `Content-Type: application/json`; it is {found}");
        return Err(Refusal::unsupported_media_type(message));
    }
    match headers.get(CONTENT_ENCODING) {
        Some(encoding) if !encoding.as_bytes().eq_ignore_ascii_case(b"identity") => {
            Err(Refusal::unsupported_media_type(format!(
                "send the message without a `Content-Encoding`, not {encoding:?}"
            )))
        }
        _ => Ok(()),
    }
}

/// Reads a body of at most `limit` bytes; one that announces more is not read at all.
pub(super) async fn read<B>(body: B, limit: usize) -> Result<Bytes, Refusal>
where
    B: Body<Data = Bytes>,
    B::Error: Into<BoxError>,
{
    if body.size_hint().lower() > limit as u64 {
        return Err(Refusal::too_large(limit));
    }
    let read = tokio::time::timeout(READ_TIMEOUT, collect(body, limit)).await;
    read.unwrap_or_else(|_| Err(Refusal::too_slow(READ_TIMEOUT.as_secs())))
}

/// Copies nothing where the body is one frame, as that of most messages is.
async fn collect<B>(body: B, limit: usize) -> Result<Bytes, Refusal>
where
    B: Body<Data = Bytes>,
    B::Error: Into<BoxError>,
{
    let mut body = pin!(body);
    let mut first = Bytes::new();
    let mut whole = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| unreadable(error.into().as_ref()))?;
        let Ok(data) = frame.into_data() else { continue };
        if first.len().max(whole.len()) + data.len() > limit {
            return Err(Refusal::too_large(limit));
        }
        if first.is_empty() && whole.is_empty() {
            first = data;
            continue;
        }
        if whole.is_empty() {
            whole.extend_from_slice(&std::mem::take(&mut first));
        }
        whole.extend_from_slice(&data);
    }
    Ok(if whole.is_empty() { first } else { whole.freeze() })
}

/// A layer in front, such as axum's `DefaultBodyLimit`, may have a limit of its own.
fn unreadable(error: &(dyn std::error::Error + 'static)) -> Refusal {
    let mut source = Some(error);
    while let Some(cause) = source {
        if cause.is::<http_body_util::LengthLimitError>() {
            let message = "the message is larger than a layer in front of this server takes";
            return Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message);
        }
        source = cause.source();
    }
    Refusal::bad_request(format!("the body could not be read: {error}"))
}
