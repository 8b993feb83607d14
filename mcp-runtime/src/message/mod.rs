//! One JSON-RPC message, read once: spans into its text, no generic value, nothing copied.

mod batch;
mod envelope;
mod fields;
mod response;

pub(crate) use fields::{Meta, Params, is_integer, kind};
pub(crate) use response::{ClientError, Response};

use std::borrow::Cow;

use bytes::Bytes;

use crate::protocol::{Error, INVALID_REQUEST, PARSE_ERROR};
use crate::text::{Span, Str, Text};

/// The id of a request: "a string or integer" (basic/index, Requests), as the client wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Id(Span);

impl Id {
    /// The JSON of the id.
    pub(crate) fn json(self, text: &Text) -> &str {
        text.get(self.0)
    }
}

/// A request on its way to the dispatcher.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) text: Text,
    id: Id,
    pub(crate) method: Str,
    pub(crate) params: Params,
}

impl Request {
    pub(crate) fn method(&self) -> &str {
        self.method.get(&self.text)
    }

    /// The JSON of the id.
    pub(crate) fn id(&self) -> &str {
        self.id.json(&self.text)
    }

    /// Whether it says in its `_meta` what it speaks, as requests of the current revision do.
    pub(crate) fn is_modern(&self) -> bool {
        self.params.meta.as_ref().is_some_and(|meta| meta.protocol_version.is_some())
    }

    /// The id in its shortest form, by which equal ids are equal texts.
    #[cfg(any(feature = "stdio", feature = "http"))]
    pub(crate) fn canonical_id(&self) -> Cow<'_, str> {
        envelope::canonical_id(self.id.json(&self.text))
    }
}

/// A message, sorted by what it wants.
#[derive(Debug)]
pub(crate) enum Message {
    /// It wants an answer.
    Request(Box<Request>),
    /// It wants none.
    Notification(Notification),
    /// A JSON-RPC response. "Clients do not send JSON-RPC responses" (basic/patterns), but those of older revisions do.
    Response(Response),
    /// It is not a message.
    Malformed(Malformed),
}

/// A notification from the client.
#[derive(Debug)]
pub(crate) struct Notification {
    pub(crate) method: String,
    /// `params.requestId` of `notifications/cancelled`, as JSON in its shortest form.
    pub(crate) request_id: Option<String>,
    /// `params.reason` of `notifications/cancelled`.
    pub(crate) reason: Option<String>,
}

/// Bytes that are not a message, with what to answer.
#[derive(Debug)]
pub(crate) struct Malformed {
    /// The JSON of the id, where it could be read.
    pub(crate) id: Option<String>,
    pub(crate) error: Error,
}

impl Malformed {
    fn parse_error(why: impl std::fmt::Display) -> Self {
        Self { id: None, error: Error::new(PARSE_ERROR, format!("Parse error: {why}")) }
    }

    fn invalid(id: Option<String>, why: impl Into<Cow<'static, str>>) -> Self {
        Self { id, error: Error::new(INVALID_REQUEST, format!("Invalid Request: {}", why.into())) }
    }
}

impl Message {
    /// Reads one message. Never fails: what is wrong is part of the answer.
    pub(crate) fn read(bytes: Bytes) -> Self {
        match Text::new(bytes) {
            Ok(text) => envelope::read(text),
            Err(error) => Self::Malformed(Malformed::parse_error(format!(
                "the message is not UTF-8 (byte {})",
                error.valid_up_to()
            ))),
        }
    }
}

#[cfg(test)]
mod tests;
