//! Ids of events, and events as they are written.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;

/// The id of an event: its stream, and its place in it.
///
/// "If present, the ID MUST be globally unique across all streams within that session" and "SHOULD encode sufficient
/// information to identify the originating stream" (2025-11-25, basic/transports, Resumability and Redelivery).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EventId {
    pub(super) stream: u64,
    pub(super) position: u64,
}

impl EventId {
    /// Reads one as it was written, and nothing that only means the same.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (stream, position) = text.split_once('_')?;
        Some(Self { stream: number(stream)?, position: number(position)? })
    }

    /// "An SSE event consisting of an event ID and an empty `data` field in order to prime the client to reconnect"
    /// (2025-11-25, basic/transports, Sending Messages to the Server).
    pub(super) fn priming(self) -> Bytes {
        format!("id: {self}\ndata: \n\n").into()
    }

    /// One message as one event. Its data is one line, since every message is.
    pub(super) fn event(self, json: &[u8]) -> Bytes {
        let start = format!("id: {self}\nevent: message\ndata: ");
        let mut bytes = Vec::with_capacity(start.len() + json.len() + 2);
        bytes.extend_from_slice(start.as_bytes());
        bytes.extend_from_slice(json);
        bytes.extend_from_slice(b"\n\n");
        bytes.into()
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.stream, self.position)
    }
}

fn number(digits: &str) -> Option<u64> {
    let is_canonical = digits == "0" || !digits.starts_with('0');
    (is_canonical && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| digits.parse().ok())?
}

/// "It SHOULD send an SSE event with a standard `retry` field before closing the connection." (2025-11-25,
/// basic/transports, Sending Messages to the Server)
pub(super) fn retry(after: Duration) -> Bytes {
    format!("retry: {}\n\n", after.as_millis()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_they_are_written() {
        let id = EventId { stream: 7, position: 12 };
        assert_eq!(id.to_string(), "7_12");
        assert_eq!(EventId::parse("7_12"), Some(id));
        assert_eq!(EventId::parse("0_0"), Some(EventId { stream: 0, position: 0 }));
        for bad in
            ["", "_", "7", "7_", "_12", "+7_12", "07_12", "7_12_1", "7_-1", "7 _12", "18446744073709551616_0"]
        {
            assert_eq!(EventId::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn events_are_written_with_their_id() {
        let id = EventId { stream: 7, position: 12 };
        assert_eq!(id.event(b"{}"), "id: 7_12\nevent: message\ndata: {}\n\n");
        assert_eq!(id.priming(), "id: 7_12\ndata: \n\n");
        assert_eq!(retry(Duration::from_millis(1500)), "retry: 1500\n\n");
    }
}
