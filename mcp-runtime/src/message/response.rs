//! The answer of a client to a request of the server's, which older revisions have.

use serde::Deserialize;
use serde_json::Value;

use super::envelope::canonical_id;
use crate::text::{Span, Text};

/// A JSON-RPC response.
#[derive(Debug)]
pub(crate) struct Response {
    pub(super) text: Text,
    pub(super) id: Option<Span>,
    pub(super) result: Option<Span>,
    pub(super) error: Option<Span>,
}

/// Why a client did not do what it was asked for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct ClientError {
    pub(crate) code: i64,
    #[serde(default)]
    pub(crate) message: String,
}

impl Response {
    /// The id of the request that it answers, as JSON in its shortest form.
    pub(crate) fn id(&self) -> Option<String> {
        self.id.map(|id| canonical_id(self.text.get(id)).into_owned())
    }

    /// What the client gives, or why it does not.
    pub(crate) fn outcome(&self) -> Result<Value, ClientError> {
        let malformed =
            |what: &str| ClientError { code: 0, message: format!("the {what} could not be read") };
        match (self.result, self.error) {
            (Some(result), None) => {
                serde_json::from_str(self.text.get(result)).map_err(|_| malformed("result"))
            }
            (_, Some(error)) => {
                Err(serde_json::from_str(self.text.get(error)).unwrap_or_else(|_| malformed("error")))
            }
            (None, None) => Err(malformed("answer")),
        }
    }
}
