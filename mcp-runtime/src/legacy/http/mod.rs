//! Clients of older revisions over HTTP: sessions, streams that are resumed, and HTTP+SSE.
//!
//! ```text
//! POST ─→ Session::begin ─→ Call ── answered at once ─→ JSON
//!                             └── in a task ─→ Stream ─→ Connection ─→ event stream
//! GET ──→ Last-Event-ID ─────────────────────────┘ ↑
//!     └─→ Session::poll_message ───────────────────┘
//! ```

mod batch;
mod buffer;
mod connection;
mod endpoint;
mod event_id;
mod flight;
mod get;
mod header;
mod post;
mod refusal;
mod session;
mod sessions;
mod sse;
mod stream;
#[cfg(test)]
mod tests;
mod usage;

use std::future::Future;
use std::pin::Pin;

use http::Response;

use crate::transport::http::{HttpBody, Refusal};

pub(crate) use connection::Connection;
pub(crate) use endpoint::Endpoint;

/// An answer, or what gives it later. Requests that are answered at once cost no future.
pub(crate) type Answered = Result<Ready, Refusal>;

pub(crate) enum Ready {
    Now(Response<HttpBody>),
    Later(Pin<Box<dyn Future<Output = Result<Response<HttpBody>, Refusal>> + Send>>),
}

impl Ready {
    pub(crate) async fn answer(self) -> Result<Response<HttpBody>, Refusal> {
        match self {
            Self::Now(response) => Ok(response),
            Self::Later(answer) => answer.await,
        }
    }
}

#[allow(clippy::unnecessary_wraps, reason = "the type of what is returned with it")]
fn now(response: Response<HttpBody>) -> Answered {
    Ok(Ready::Now(response))
}

#[allow(clippy::unnecessary_wraps, reason = "the type of what is returned with it")]
fn later(answer: impl Future<Output = Result<Response<HttpBody>, Refusal>> + Send + 'static) -> Answered {
    Ok(Ready::Later(Box::pin(answer)))
}
