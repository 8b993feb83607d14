//! Requests to the client, each a future of its answer.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context as Task, Poll};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answer::{Action, Answer, ElicitResult};
use super::flow::Unanswered;
use super::sampling::{Sample, SampleResult};
use super::{Asked, Question};
use crate::elicit::{Elicit, is_uri};
use crate::protocol::Error;
use crate::{Client, Context};

/// A request to the client that has been made and not been answered.
///
/// Await it; or first give it a [`key`](Ask::key), or put several into `tokio::join!`, so that they go out in
/// one round.
#[must_use = "the client is asked when this is awaited"]
pub struct Ask<T> {
    ctx: Context,
    asked: Asked,
    /// The request as the client sees it after an answer that did not fit: with what was wrong.
    again: Option<Asked>,
    /// Why it is not made at all.
    refused: Option<Error>,
    /// The author's name for it.
    name: Option<String>,
    question: Option<Question>,
    read: fn(Value) -> Result<T, Unfit>,
}

/// Why an answer is not taken.
pub(super) enum Unfit {
    /// It has not the shape of an answer: the client's author has to mend it.
    Malformed(String),
    /// It has the shape, but not what was asked for: the person is asked again, and told this.
    Wrong(String),
}

impl Unfit {
    /// The protocol error, where the client's author is the one to mend it.
    pub(super) fn malformed(&self, key: &str) -> Option<Error> {
        match self {
            Self::Malformed(why) => {
                Some(Error::invalid_params(format!("Invalid params: `inputResponses.{key}`: {why}")))
            }
            Self::Wrong(_) => None,
        }
    }
}

impl<T> Ask<T> {
    /// Names the request for the client, instead of by its position among those that are made.
    ///
    /// Where the order can change from one round to the next, as in tasks that are spawned or in branches that
    /// wait for something else first, the name is what tells the answers apart. Without one, an answer belongs to
    /// what was said word by word; with one, the message may have live data in it.
    ///
    /// Two requests of one call with the same key get `key` and `key-2`.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.name = Some(key.into());
        self
    }
}

impl<T> Future for Ask<T> {
    type Output = Result<T, Error>;

    fn poll(self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let flow = this.ctx.flow();
        let fail = |error: Error| {
            this.ctx.fail(error.clone());
            Poll::Ready(Err(error))
        };
        if let Some(refused) = this.refused.take() {
            return fail(refused);
        }
        let question = this.question.get_or_insert_with(|| flow.question(this.name.as_deref(), &this.asked));
        loop {
            let asked = this.again.as_ref().unwrap_or(&this.asked);
            let value = match flow.poll_answer(question, asked, task.waker()) {
                Poll::Ready(Ok(value)) => value,
                Poll::Ready(Err(Unanswered::Fault(error))) => return fail(error),
                Poll::Ready(Err(Unanswered::Interrupted(error))) => {
                    // What a function that has to return asked for stays.
                    this.question = None;
                    return Poll::Ready(Err(error));
                }
                Poll::Pending => return Poll::Pending,
            };
            match (this.read)(value) {
                Ok(answer) => return Poll::Ready(Ok(answer)),
                Err(unfit) => {
                    if let Some(error) = unfit.malformed(&question.key) {
                        return fail(error);
                    }
                    flow.reject(&question.key);
                    if let Unfit::Wrong(why) = unfit {
                        this.again = Some(this.asked.explained(&why));
                    }
                }
            }
        }
    }
}

impl<T> Drop for Ask<T> {
    fn drop(&mut self) {
        if let Some(question) = &self.question {
            self.ctx.flow().withdraw(&question.key);
        }
    }
}

impl Asked {
    /// Says in the message what was wrong with the answer before.
    fn explained(&self, why: &str) -> Self {
        let mut asked = self.clone();
        if let Some(Value::String(message)) =
            asked.params.as_mut().and_then(|params| params.get_mut("message"))
        {
            *message = format!("{message}\n\n{why}");
        }
        asked
    }
}

/// A folder of the client's that the person works in (client/roots, Root).
///
/// ```json
/// {"uri": "file:///home/user/projects/myproject", "name": "My Project"}
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Root {
    /// A `file://` URI.
    pub uri: String,
    /// A name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Context {
    /// Asks the person to fill in a form (client/elicitation, Form Mode).
    ///
    /// The handler goes on with the answer, which fits the type: an answer that does not is asked for again,
    /// with what was wrong. "Servers MUST NOT use form mode elicitation to request sensitive information":
    /// that is what [`elicit_url`](Context::elicit_url) is for.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    ///
    /// #[derive(Elicit)]
    /// struct Confirm {
    ///     /// Really delete it? This cannot be undone.
    ///     sure: bool,
    /// }
    ///
    /// /// Delete a file.
    /// #[tool(destructive)]
    /// async fn delete(name: String, ctx: &Context) -> Result<String> {
    ///     match ctx.elicit::<Confirm>(format!("Delete {name}?")).await? {
    ///         Answer::Accept(confirm) if confirm.sure => Ok(format!("{name} is gone")),
    ///         _ => Ok("left alone".to_owned()),
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// `-32021` for a client that cannot show forms: see [`Client::can_elicit`] for asking beforehand. The
    /// answer to the request is that error then, whatever the handler makes of it.
    pub fn elicit<T: Elicit>(&self, message: impl Into<String>) -> Ask<Answer<T>> {
        let params =
            json!({ "mode": "form", "message": message.into(), "requestedSchema": T::requested_schema() });
        let refused = self.client().missing_for_form();
        self.ask("elicitation/create", Some(params), refused, read_form::<T>)
    }

    /// Sends the person to a web page, for what must not pass through the client (client/elicitation, URL
    /// Mode): a payment, a secret, a login elsewhere.
    ///
    /// `Accept` means that they went there, not that they finished; look at your own records for that.
    ///
    /// # Errors
    ///
    /// `-32021` for a client that cannot open pages: see [`Client::can_elicit_url`]. `-32603` for a `url` that is
    /// none.
    pub fn elicit_url(&self, message: impl Into<String>, url: impl Into<String>) -> Ask<Answer<()>> {
        let url = url.into();
        let refused = self.client().missing_for_page().or_else(|| no_address(&url));
        let params = json!({ "mode": "url", "message": message.into(), "url": url });
        self.ask("elicitation/create", Some(params), refused, read_consent)
    }

    /// Asks the client's model (client/sampling).
    ///
    /// # Errors
    ///
    /// `-32021` for a client that has no model to offer, or none that uses tools where the request has some.
    #[deprecated = "the specification deprecates sampling: integrate directly with LLM provider APIs"]
    pub fn sample(&self, request: Sample) -> Ask<SampleResult> {
        let refused = self.client().missing_for_sampling(request.uses_tools());
        self.ask("sampling/createMessage", Some(json!(request)), refused, read_as)
    }

    /// Asks for the folders that the person works in (client/roots).
    ///
    /// # Errors
    ///
    /// `-32021` for a client that has none to offer.
    #[deprecated = "the specification deprecates roots: take directories or files as arguments, resource URIs or \
                    configuration"]
    pub fn roots(&self) -> Ask<Vec<Root>> {
        let refused = (!self.client().has_roots()).then(|| Error::missing_capability(json!({ "roots": {} })));
        self.ask("roots/list", None, refused, read_roots)
    }

    /// The number of this round, from 1: how often the client has sent this request with what was asked for.
    pub fn round(&self) -> u32 {
        self.flow().round()
    }

    fn ask<T>(
        &self,
        method: &str,
        params: Option<Value>,
        refused: Option<Error>,
        read: fn(Value) -> Result<T, Unfit>,
    ) -> Ask<T> {
        Ask {
            ctx: self.clone(),
            asked: Asked { method: method.to_owned(), params },
            again: None,
            refused,
            name: None,
            question: None,
            read,
        }
    }
}

/// Some clients write null for what they cannot do.
fn is_declared(capability: &Value, part: &str) -> bool {
    capability.get(part).is_some_and(|value| !value.is_null())
}

/// "The `url` parameter MUST contain a valid URL." (client/elicitation, URL Mode)
pub(super) fn no_address(url: &str) -> Option<Error> {
    (!is_uri(url)).then(|| {
        tracing::error!("the person was to be sent to {url:?}, which is no address like https://example.com");
        Error::internal("The handler sends the person to something that is no address")
    })
}

fn read_as<T: for<'de> Deserialize<'de>>(value: Value) -> Result<T, Unfit> {
    serde_json::from_value(value).map_err(|error| Unfit::Malformed(error.to_string()))
}

pub(super) fn read_form<T: Elicit>(value: Value) -> Result<Answer<T>, Unfit> {
    let result: ElicitResult = read_as(value)?;
    match result.action {
        Action::Decline => Ok(Answer::Decline),
        Action::Cancel => Ok(Answer::Cancel),
        Action::Accept => {
            let content = result.content.unwrap_or_default();
            T::from_content(&content).map(Answer::Accept).map_err(|faults| {
                let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
                Unfit::Wrong(faults.join("\n"))
            })
        }
    }
}

pub(super) fn read_consent(value: Value) -> Result<Answer<()>, Unfit> {
    let result: ElicitResult = read_as(value)?;
    Ok(match result.action {
        Action::Accept => Answer::Accept(()),
        Action::Decline => Answer::Decline,
        Action::Cancel => Answer::Cancel,
    })
}

fn read_roots(value: Value) -> Result<Vec<Root>, Unfit> {
    #[derive(Deserialize)]
    struct ListRootsResult {
        roots: Vec<Root>,
    }
    read_as::<ListRootsResult>(value).map(|result| result.roots)
}

impl Client {
    /// Whether forms can be shown: `elicitation` with `form`, or with neither mode named.
    ///
    /// "An empty capabilities object is equivalent to declaring support for `form` mode only."
    pub fn can_elicit(&self) -> bool {
        self.capability("elicitation")
            .is_some_and(|modes| is_declared(modes, "form") || !is_declared(modes, "url"))
    }

    /// Whether pages can be opened: `elicitation` with `url`.
    pub fn can_elicit_url(&self) -> bool {
        self.capability("elicitation").is_some_and(|modes| is_declared(modes, "url"))
    }

    /// Whether the client has a model to ask.
    pub fn can_sample(&self) -> bool {
        self.capability("sampling").is_some()
    }

    /// Whether the client tells what folders the person works in.
    pub fn has_roots(&self) -> bool {
        self.capability("roots").is_some()
    }

    pub(super) fn missing_for_form(&self) -> Option<Error> {
        let required = json!({ "elicitation": { "form": {} } });
        (!self.can_elicit()).then(|| Error::missing_capability(required))
    }

    pub(super) fn missing_for_page(&self) -> Option<Error> {
        let required = json!({ "elicitation": { "url": {} } });
        (!self.can_elicit_url()).then(|| Error::missing_capability(required))
    }

    fn missing_for_sampling(&self, tools: bool) -> Option<Error> {
        let required = if tools { json!({ "tools": {} }) } else { json!({}) };
        let can = match self.capability("sampling") {
            Some(sampling) => !tools || is_declared(sampling, "tools"),
            None => false,
        };
        (!can).then(|| Error::missing_capability(json!({ "sampling": required })))
    }

    fn capability(&self, name: &str) -> Option<&Value> {
        self.capabilities().get(name).filter(|capability| capability.is_object())
    }
}
