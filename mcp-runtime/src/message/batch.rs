//! Several messages in one array, as revision 2025-03-26 had them (basic/index, Batching).

use bytes::Bytes;
use serde_json::value::RawValue;

/// Why an array is no batch.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BatchFault {
    /// It is not JSON.
    NotJson(String),
    /// "An Array with at least one value" is what JSON-RPC asks for.
    Empty,
}

/// The messages of a batch; nothing for what is not an array.
pub(crate) fn split(bytes: &Bytes) -> Option<Result<Vec<Bytes>, BatchFault>> {
    let text = bytes.trim_ascii_start();
    if text.first() != Some(&b'[') {
        return None;
    }
    Some(match serde_json::from_slice::<Vec<&RawValue>>(text) {
        Ok(messages) if messages.is_empty() => Err(BatchFault::Empty),
        Ok(messages) => Ok(messages.into_iter().map(|raw| bytes.slice_ref(raw.get().as_bytes())).collect()),
        Err(error) => Err(BatchFault::NotJson(error.to_string())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_is_split_without_a_copy() {
        let bytes = Bytes::from_static(b" [ {\"id\":1} ,2, [] ]");
        let messages = split(&bytes).unwrap().unwrap();
        assert_eq!(messages, [&b"{\"id\":1}"[..], b"2", b"[]"]);
        assert_eq!(split(&Bytes::from_static(b"{}")), None);
        assert_eq!(split(&Bytes::from_static(b"[]")), Some(Err(BatchFault::Empty)));
        assert!(matches!(split(&Bytes::from_static(b"[1,")), Some(Err(BatchFault::NotJson(_)))));
    }
}
