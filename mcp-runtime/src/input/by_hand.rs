//! Asking without a future: for authors who want every round in view.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::Asked;
use super::answer::Answer;
use super::ask::{no_address, read_consent, read_form};
use crate::Context;
use crate::elicit::Elicit;
use crate::protocol::Error;

/// What a handler needs from the client before it can go on: returned as an error, so that it fits any
/// `Result`. Later rounds find the answers with [`Context::answer`], and the next one the state with
/// [`Context::input_state`]. A key that is asked for again forgets its answer.
///
/// [`Context::elicit`] does the same without rounds to keep in mind.
///
/// ```
/// use mcp_runtime::prelude::*;
/// use mcp_runtime::InputRequired;
///
/// #[derive(Elicit)]
/// struct Name {
///     name: String,
/// }
///
/// /// Greet someone.
/// #[tool]
/// fn greet(ctx: &Context) -> Result<String> {
///     match ctx.answer::<Name>("who")? {
///         Some(Answer::Accept(who)) => Ok(format!("hello, {}", who.name)),
///         Some(_) => Ok("hello, whoever you are".to_owned()),
///         None => Err(InputRequired::new().elicit::<Name>("who", "What is your name?").into()),
///     }
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct InputRequired {
    wanted: Wanted,
}

/// What an [`InputRequired`] asks for, which is also its cause: a box that hides the type of what it holds, as that of
/// `anyhow::Error` does, still passes on the cause.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    requests: BTreeMap<String, Asked>,
    state: Option<Value>,
}

impl InputRequired {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for a form, under this key.
    pub fn elicit<T: Elicit>(mut self, key: impl Into<String>, message: impl Into<String>) -> Self {
        let params =
            json!({ "mode": "form", "message": message.into(), "requestedSchema": T::requested_schema() });
        self.wanted
            .requests
            .insert(key.into(), Asked { method: "elicitation/create".to_owned(), params: Some(params) });
        self
    }

    /// Sends the person to a web page, under this key.
    pub fn elicit_url(
        mut self,
        key: impl Into<String>,
        message: impl Into<String>,
        url: impl Into<String>,
    ) -> Self {
        let params = json!({ "mode": "url", "message": message.into(), "url": url.into() });
        self.wanted
            .requests
            .insert(key.into(), Asked { method: "elicitation/create".to_owned(), params: Some(params) });
        self
    }

    /// What the next round is to know; sealed, so that the client can neither read nor change it.
    ///
    /// A value that does not serialize is left out, and logged.
    pub fn state(mut self, state: impl Serialize) -> Self {
        match serde_json::to_value(state) {
            Ok(state) => self.wanted.state = Some(state),
            Err(error) => tracing::error!("the state of an `InputRequired` does not serialize: {error}"),
        }
        self
    }

    /// What is asked for, if that is what this error is, whatever hides its type.
    pub(crate) fn of(error: &(dyn std::error::Error + 'static)) -> Option<Wanted> {
        let wanted = error.downcast_ref::<Wanted>();
        wanted.or_else(|| error.downcast_ref::<Self>().map(|required| &required.wanted)).cloned()
    }
}

impl Wanted {
    /// Hands the requests to the call's flow; the error is what is answered if that cannot be done.
    pub(crate) fn ask(self, ctx: &Context) -> Error {
        let client = ctx.client();
        let refused = self.requests.values().filter_map(|asked| asked.params.as_ref()).find_map(|params| {
            match params["url"].as_str() {
                Some(url) => client.missing_for_page().or_else(|| no_address(url)),
                None => client.missing_for_form(),
            }
        });
        let asked = match refused {
            Some(error) => Err(error),
            None => ctx.flow().ask_by_hand(self.requests, self.state),
        };
        match asked {
            Ok(()) => Error::internal("The client is being asked"),
            Err(error) => {
                ctx.fail(error.clone());
                error
            }
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys: Vec<&str> = self.requests.keys().map(String::as_str).collect();
        write!(f, "input is required: {}", keys.join(", "))
    }
}

impl std::error::Error for Wanted {}

impl fmt::Display for InputRequired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.wanted.fmt(f)
    }
}

impl std::error::Error for InputRequired {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.wanted)
    }
}

impl Context {
    /// The answer to a form that an [`InputRequired`] asked for; `None` if it has not been answered, or not
    /// with what fits the form.
    ///
    /// # Errors
    ///
    /// `-32602` for an answer that has not the shape of one.
    pub fn answer<T: Elicit>(&self, key: &str) -> Result<Option<Answer<T>>, Error> {
        self.read_answer(key, read_form::<T>)
    }

    /// The answer to a web page that an [`InputRequired`] sent the person to.
    ///
    /// # Errors
    ///
    /// `-32602` for an answer that has not the shape of one.
    pub fn url_answer(&self, key: &str) -> Result<Option<Answer<()>>, Error> {
        self.read_answer(key, read_consent)
    }

    /// What an [`InputRequired`] of the round before put into its state, if it is of this type.
    pub fn input_state<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_value(self.flow().by_hand()?).ok()
    }

    fn read_answer<T>(
        &self,
        key: &str,
        read: fn(Value) -> Result<T, super::ask::Unfit>,
    ) -> Result<Option<T>, Error> {
        let Some(value) = self.flow().answer(key) else { return Ok(None) };
        match read(value) {
            Ok(answer) => Ok(Some(answer)),
            Err(unfit) => {
                self.flow().reject(key);
                unfit.malformed(key).map_or(Ok(None), Err)
            }
        }
    }
}
