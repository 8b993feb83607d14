//! Several messages in one array, as revision 2025-03-26 had them (basic/index, Batching).

use bytes::Bytes;
use serde_json::value::RawValue;

use super::Message;
use crate::protocol::{Error, INVALID_REQUEST, PARSE_ERROR};

/// The most messages of one batch: every one may have an answer, and they are answered together.
const MESSAGES: usize = 100;

impl Message {
    /// The messages of a batch, or what is wrong with it as a whole; nothing for what is not an array.
    pub(crate) fn read_batch(bytes: &Bytes) -> Option<Result<Vec<Self>, Error>> {
        let text = bytes.trim_ascii_start();
        (text.first() == Some(&b'[')).then(|| read(bytes, text))
    }
}

fn read(bytes: &Bytes, text: &[u8]) -> Result<Vec<Message>, Error> {
    let parsed = serde_json::from_slice::<Vec<&RawValue>>(text);
    let raw = parsed.map_err(|error| Error::new(PARSE_ERROR, format!("Parse error: {error}")))?;
    match raw.len() {
        // "An Array with at least one value" (JSON-RPC 2.0, section 6).
        0 => return Err(invalid("the batch is empty")),
        count if count > MESSAGES => {
            return Err(invalid(&format!("a batch has {MESSAGES} messages at most, not {count}")));
        }
        _ => {}
    }
    let message = |raw: &RawValue| Message::read(bytes.slice_ref(raw.get().as_bytes()));
    let messages: Vec<_> = raw.into_iter().map(message).collect();
    // "The `initialize` request MUST NOT be part of a JSON-RPC batch" (2025-03-26, basic/lifecycle).
    let opens = |message: &Message| matches!(message, Message::Request(r) if r.method() == "initialize");
    if messages.iter().any(opens) {
        return Err(invalid("`initialize` cannot be part of a batch"));
    }
    Ok(messages)
}

fn invalid(why: &str) -> Error {
    Error::new(INVALID_REQUEST, format!("Invalid Request: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: impl Into<Vec<u8>>) -> Option<Result<Vec<Message>, Error>> {
        Message::read_batch(&Bytes::from(text.into()))
    }

    #[test]
    fn an_array_is_a_batch() {
        let text = r#" [ {"jsonrpc":"2.0","id":1,"method":"ping"} , 2, [] ]"#;
        let messages = read(text).unwrap().unwrap();
        assert!(
            matches!(&*messages, [Message::Request(_), Message::Malformed(_), Message::Malformed(_)]),
            "{messages:?}"
        );
        assert!(read("{}").is_none());
    }

    #[test]
    fn what_is_wrong_as_a_whole_is_one_error() {
        let many = |count: usize| format!("[{}]", vec!["1"; count].join(","));
        let opening = r#"[{"jsonrpc":"2.0","id":1,"method":"initialize"}]"#;
        for (text, code) in [
            ("[]".to_owned(), INVALID_REQUEST),
            ("[1,".to_owned(), PARSE_ERROR),
            (many(MESSAGES + 1), INVALID_REQUEST),
            (opening.to_owned(), INVALID_REQUEST),
        ] {
            assert_eq!(read(&*text).unwrap().unwrap_err().code(), code, "{text}");
        }
        assert_eq!(read(many(MESSAGES)).unwrap().unwrap().len(), MESSAGES);
    }
}
