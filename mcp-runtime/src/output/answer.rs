//! A JSON-RPC answer, written once into the buffer that the transport sends.

use serde::Serialize;
use serde_json::{Map, Value};

use super::on_one_line;
use crate::context::Context;
use crate::protocol::Error;

/// The type of a result that asks for input.
pub(crate) const INPUT_REQUIRED: &str = "input_required";

/// A finished answer to one request.
#[derive(Debug)]
pub struct Answer {
    bytes: Vec<u8>,
    /// It asks for input, and the call is not at its end.
    pub(crate) is_suspended: bool,
}

impl Answer {
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Writes the members of a `result` object; what every result has is added at the end.
pub(crate) struct ResultWriter<'a> {
    ctx: &'a Context,
    bytes: Vec<u8>,
    empty: bool,
}

impl<'a> ResultWriter<'a> {
    pub(crate) fn new(ctx: &'a Context) -> Self {
        let mut bytes = Vec::with_capacity(512);
        bytes.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        bytes.extend_from_slice(ctx.request_id().as_bytes());
        bytes.extend_from_slice(br#","result":{"#);
        Self { ctx, bytes, empty: true }
    }

    /// The buffer, for a value that is written in pieces. The caller writes one whole JSON value.
    pub(crate) fn member(&mut self, name: &'static str) -> &mut Vec<u8> {
        if !std::mem::take(&mut self.empty) {
            self.bytes.push(b',');
        }
        self.bytes.push(b'"');
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.extend_from_slice(b"\":");
        &mut self.bytes
    }

    /// The buffer, in the middle of a value.
    pub(crate) fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    pub(crate) fn context(&self) -> &'a Context {
        self.ctx
    }

    /// Members that were serialized beforehand, without the braces.
    pub(crate) fn raw_members(&mut self, members: &[u8]) {
        if !std::mem::take(&mut self.empty) {
            self.bytes.push(b',');
        }
        self.bytes.extend_from_slice(members);
    }

    /// "The `result` MUST include a `resultType` field", and "servers SHOULD include `serverInfo` in every
    /// result's `_meta`" (basic/index).
    pub(crate) fn finish(self, meta: Option<&Map<String, Value>>) -> Answer {
        self.finish_as("complete", meta)
    }

    /// The same for another type of result.
    pub(crate) fn finish_as(
        mut self,
        result_type: &'static str,
        meta: Option<&Map<String, Value>>,
    ) -> Answer {
        let core = self.ctx.core();
        if !self.empty {
            self.bytes.push(b',');
        }
        self.bytes.extend_from_slice(br#""resultType":""#);
        self.bytes.extend_from_slice(result_type.as_bytes());
        self.bytes.extend_from_slice(br#"","_meta":{"#);
        for (key, value) in meta.into_iter().flatten() {
            write(&mut self.bytes, key);
            self.bytes.push(b':');
            write(&mut self.bytes, value);
            self.bytes.push(b',');
        }
        self.bytes.extend_from_slice(core.server_info_member());
        self.bytes.extend_from_slice(b"}}}");
        Answer { bytes: on_one_line(self.bytes), is_suspended: result_type == INPUT_REQUIRED }
    }
}

/// Writes a value that cannot fail to serialize: strings, and values that were JSON before.
pub(crate) fn write(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    serde_json::to_writer(out, value).expect("strings and JSON values serialize");
}

/// The bytes of a JSON-RPC response whose result is written by hand.
pub(crate) fn result_response(id: &str, result: &Value) -> Vec<u8> {
    let mut bytes = br#"{"jsonrpc":"2.0","id":"#.to_vec();
    bytes.extend_from_slice(id.as_bytes());
    bytes.extend_from_slice(br#","result":"#);
    write(&mut bytes, result);
    bytes.push(b'}');
    on_one_line(bytes)
}

/// The bytes of a JSON-RPC notification.
pub(crate) fn notification(method: &str, params: Option<&Value>) -> Vec<u8> {
    message(br#"{"jsonrpc":"2.0","method":"#.to_vec(), method, params)
}

/// The bytes of a JSON-RPC request to the client.
pub(crate) fn request(id: u64, method: &str, params: Option<&Value>) -> Vec<u8> {
    message(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"#).into_bytes(), method, params)
}

fn message(mut bytes: Vec<u8>, method: &str, params: Option<&Value>) -> Vec<u8> {
    write(&mut bytes, method);
    if let Some(params) = params {
        bytes.extend_from_slice(br#","params":"#);
        write(&mut bytes, params);
    }
    bytes.push(b'}');
    bytes
}

/// The bytes of a JSON-RPC error response.
///
/// ```json
/// {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "Unknown tool: nope"}}
/// ```
pub(crate) fn error_response(id: Option<&str>, error: &Error) -> Vec<u8> {
    let mut bytes = br#"{"jsonrpc":"2.0","#.to_vec();
    if let Some(id) = id {
        bytes.extend_from_slice(br#""id":"#);
        bytes.extend_from_slice(id.as_bytes());
        bytes.push(b',');
    }
    bytes.extend_from_slice(br#""error":"#);
    write(&mut bytes, error);
    bytes.push(b'}');
    on_one_line(bytes)
}
