//! Suspending a call that waits for the client, and taking it up again (basic/patterns/mrtr).

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Begun, Call, Outcome, Reply, run};
use crate::context::Context;
use crate::input::Resumed;
use crate::output::{INPUT_REQUIRED, ResultWriter, write};
use crate::protocol::Error;
use crate::seal::{KeyRing, Purpose};

/// What is sealed into a `requestState`. What it is bound to is not in it, but has to be presented with it.
#[derive(Serialize, Deserialize)]
struct Sealed {
    /// Issued and expiring, in seconds since 1970.
    #[serde(rename = "i")]
    issued: u64,
    #[serde(rename = "e")]
    expires: u64,
    #[serde(flatten)]
    known: Resumed,
}

/// Starts a call, from where its earlier rounds left it.
pub(super) fn start(call: Call) -> Result<Begun, Error> {
    let ctx = call.context();
    let params = &ctx.request().params;
    if params.request_state.is_none() && params.input_responses.is_none() {
        return Ok(run::run(call));
    }
    let (known, seal) = match &params.request_state {
        None => (Resumed::default(), None),
        Some(state) => {
            let state = state.get(&ctx.request().text);
            let (known, expires) = open(ctx, state)?;
            (known, Some((KeyRing::id(state).to_owned(), expires)))
        }
    };
    let responses = match params.input_responses {
        Some(responses) => responses_of(ctx.request().text.get(responses))?,
        None => Map::new(),
    };
    ctx.flow().resume(known, responses);
    match (seal, ctx.core().seal_store()) {
        (Some((id, expires)), Some(_)) => Ok(Begun::Waiting(Box::pin(redeem_and_run(call, id, expires)))),
        _ => Ok(run::run(call)),
    }
}

async fn redeem_and_run(call: Call, id: String, expires: SystemTime) -> Reply {
    let ctx = call.context().clone();
    let guard = ctx.cancel_on_drop();
    let store = ctx.core().seal_store().expect("the caller has seen it");
    let redeemed = store.redeem(&id, expires).await;
    guard.disarm();
    match redeemed {
        Ok(true) => match run::run(call) {
            Begun::Done(reply) => reply,
            Begun::Waiting(work) => work.await,
            Begun::Listening(_) => unreachable!("a handler answers"),
        },
        Ok(false) => {
            tracing::warn!("a requestState was presented a second time");
            Reply::error(Some(ctx.request_id()), &invalid_state())
        }
        Err(error) => Reply::error(Some(ctx.request_id()), &error),
    }
}

/// The outcome of a handler that returned, which it may have done to ask for input by hand.
pub(super) fn unless_asked_by_hand(call: &Call, outcome: Outcome) -> Outcome {
    if call.context().flow().is_asked_by_hand() { input_required(call) } else { outcome }
}

/// The answer to a call that waits for its client.
///
/// ```json
/// {"resultType": "input_required",
///  "inputRequests": {"input": {"method": "elicitation/create", "params": {"mode": "form", "message": "Sure?"}}},
///  "requestState": "…"}
/// ```
pub(super) fn input_required(call: &Call) -> Outcome {
    let ctx = call.context();
    let (asked, known) = ctx.flow().suspend()?;
    let state = seal(ctx, known)?;
    let mut result = ResultWriter::new(ctx);
    if !asked.is_empty() {
        write(result.member("inputRequests"), &asked);
    }
    write(result.member("requestState"), &state);
    Ok(result.finish_as(INPUT_REQUIRED, None))
}

fn seal(ctx: &Context, known: Resumed) -> Result<String, Error> {
    let core = ctx.core();
    let issued = now();
    let expires = issued.saturating_add(whole_seconds(core.limits().seal_ttl));
    let plain = serde_json::to_vec(&Sealed { issued, expires, known }).expect("JSON values serialize");
    let state = core.keys().seal(Purpose::RequestState, &place(ctx), &plain);
    let limit = core.limits().seal_size;
    if state.len() > limit {
        tracing::error!(
            "the state of a suspended call has {} bytes, and {limit} are allowed: remember less in `once`, or raise \
             `Server::seal_size_limit`",
            state.len()
        );
        return Err(Error::internal("The state of this request is too large to be carried on"));
    }
    Ok(state)
}

fn open(ctx: &Context, state: &str) -> Result<(Resumed, SystemTime), Error> {
    let refuse = |why: &str| {
        tracing::warn!("a requestState was refused: {why}");
        invalid_state()
    };
    let plain = ctx.core().keys().open(Purpose::RequestState, &place(ctx), state).ok_or_else(|| {
        refuse("it was changed, belongs to another request, or was sealed with an unknown key")
    })?;
    let sealed: Sealed = serde_json::from_slice(&plain).map_err(|error| refuse(&error.to_string()))?;
    let now = now();
    // A minute for clocks that differ between instances.
    if sealed.expires <= now || sealed.issued > now + 60 {
        return Err(refuse("it has expired, or comes from the future"));
    }
    let expires = UNIX_EPOCH.checked_add(Duration::from_secs(sealed.expires));
    Ok((sealed.known, expires.unwrap_or_else(|| SystemTime::now() + FAR)))
}

/// Says nothing about why: that is for the log.
fn invalid_state() -> Error {
    Error::invalid_params(
        "Invalid params: `requestState` is not valid for this request; start again without it",
    )
}

/// What a state is bound to: the method, the target and the arguments. Callers are not told apart: a server without
/// authorization has one principal.
///
/// "Servers SHOULD include […] an identifier for the originating request, e.g. the method name and a digest
/// of its salient parameters". The arguments themselves are the associated data of the seal: they are
/// digested by it, and take no room in it. Key order, white space and the spelling of numbers do not matter.
fn place(ctx: &Context) -> Vec<u8> {
    let request = ctx.request();
    let text = &request.text;
    let method = request.method.get(text);
    // What the method looks at, whatever else the client sends beside it.
    let target = if method == "resources/read" { &request.params.uri } else { &request.params.name };
    let arguments: Map<String, Value> = request
        .params
        .arguments
        .0
        .iter()
        .map(|(name, json)| {
            let json = text.get(*json);
            let mut value = serde_json::from_str(json).unwrap_or_else(|_| json.into());
            unify_numbers(&mut value);
            (name.get(text).to_owned(), value)
        })
        .collect();
    let mut long = Map::new();
    for (name, json) in &request.params.arguments.0 {
        let mut integers = long_integers(text.get(*json));
        if !integers.is_empty() {
            integers.sort_unstable();
            long.insert(name.get(text).to_owned(), integers.into());
        }
    }
    let target = target.as_ref().map(|target| target.get(text));
    let mut place = json!([method, target, arguments, long]);
    place.sort_all_objects();
    place.to_string().into_bytes()
}

/// `1.0` and `1e0` are `1`, as some clients write it.
#[allow(clippy::cast_possible_truncation)] // guarded by the comparison
fn unify_numbers(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let float = number.as_f64().unwrap_or_default();
            #[allow(clippy::float_cmp)] // exactly equal is what is asked
            if float.trunc() == float && float.abs() < EXACT {
                *value = (float as i64).into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(unify_numbers),
        Value::Object(members) => members.values_mut().for_each(unify_numbers),
        _ => {}
    }
}

/// The integers that may be too long for a [`Value`], which rounds them: a `u128` tells them apart.
fn long_integers(json: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut in_string = false;
    let mut bytes = json.bytes().enumerate().peekable();
    while let Some((start, byte)) = bytes.next() {
        match byte {
            b'"' => in_string = !in_string,
            b'\\' => {
                bytes.next();
            }
            b'-' | b'0'..=b'9' if !in_string => {
                let is_number = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
                let mut end = start + 1;
                while bytes.next_if(|(_, byte)| is_number(*byte)).is_some() {
                    end += 1;
                }
                let number = &json[start..end];
                if number.len() >= LONG && !number.contains(['.', 'e', 'E']) {
                    found.push(number);
                }
            }
            _ => {}
        }
    }
    found
}

/// Integers with fewer characters fit into 64 bits.
const LONG: usize = 19;

/// Whole numbers below this one are exact in a `f64`.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A time that stands for those that no clock shows.
const FAR: Duration = Duration::from_secs(1 << 32);

/// A part of a second counts as one: what is asked for in it is not to be late at once.
fn whole_seconds(ttl: Duration) -> u64 {
    ttl.as_secs().saturating_add(u64::from(ttl.subsec_nanos() > 0))
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// `inputResponses`, or why it is none.
fn responses_of(json: &str) -> Result<Map<String, Value>, Error> {
    serde_json::from_str(json).map_err(|_| {
        Error::invalid_params(
            "Invalid params: `params.inputResponses` must be an object of answers by their keys",
        )
    })
}
