//! `completion/complete` (server/utilities/completion).

use std::collections::BTreeMap;

use serde::Deserialize;

use super::tools::unknown;
use super::{Begun, Reply};
use crate::completion::{CompletionRequest, Completions};
use crate::context::Context;
use crate::output::{ResultWriter, write};
use crate::protocol::Error;
use crate::registry::{Completer, ParamPlan, Plan};

#[derive(Deserialize)]
#[serde(tag = "type", expecting = "an object with `type` and `name` or `uri`")]
enum Reference {
    #[serde(rename = "ref/prompt")]
    Prompt { name: String },
    #[serde(rename = "ref/resource")]
    Resource { uri: String },
}

#[derive(Deserialize)]
#[serde(expecting = "an object with `name` and `value`")]
struct Argument {
    name: String,
    value: String,
}

/// Clients send null for what they do not know yet.
#[derive(Default, Deserialize)]
#[serde(expecting = "an object with `arguments`")]
struct Known {
    arguments: Option<BTreeMap<String, Option<String>>>,
}

pub(super) fn complete(ctx: &Context) -> Result<Begun, Error> {
    let request = ctx.request();
    let reference: Reference = field(ctx, "ref", request.params.reference)?;
    let argument: Argument = field(ctx, "argument", request.params.argument)?;
    let known = match request.params.context {
        Some(_) => field::<Option<Known>>(ctx, "context", request.params.context)?.unwrap_or_default(),
        None => Known::default(),
    };
    let known = known.arguments.unwrap_or_default();
    let known = known.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
    let Some(param) = find(ctx, &reference, &argument.name)? else {
        return Ok(Begun::Done(answer(ctx, &Completions::default())));
    };
    match (&param.complete, param.allowed()) {
        (Some(complete), _) => {
            Ok(Begun::Waiting(Box::pin(run(ctx.clone(), complete.clone(), argument, known))))
        }
        (None, Some(allowed)) => {
            Ok(Begun::Done(answer(ctx, &Completions::matching(&argument.value, allowed))))
        }
        (None, None) => Ok(Begun::Done(answer(ctx, &Completions::default()))),
    }
}

async fn run(
    ctx: Context,
    complete: Completer,
    argument: Argument,
    arguments: BTreeMap<String, String>,
) -> Reply {
    let guard = ctx.cancel_on_drop();
    let request = CompletionRequest { value: &argument.value, arguments, ctx: &ctx };
    let work = super::run::guarded(&ctx, &argument.name, || complete.complete(&request));
    let reply = match tokio::time::timeout(ctx.core().request_timeout(), work).await {
        Ok(Ok(completions)) => answer(&ctx, &completions),
        Ok(Err(error)) => Reply::error(Some(ctx.request_id()), &error),
        Err(_) => Reply::error(Some(ctx.request_id()), &Error::internal("Completing took too long")),
    };
    guard.disarm();
    reply
}

fn field<'a, T: Deserialize<'a>>(
    ctx: &'a Context,
    name: &str,
    span: Option<crate::text::Span>,
) -> Result<T, Error> {
    let span =
        span.ok_or_else(|| Error::invalid_params(format!("Invalid params: `params.{name}` is missing")))?;
    serde_json::from_str(ctx.request().text.get(span)).map_err(|error| {
        let text = error.to_string();
        let text = text.split(" at line ").next().unwrap_or_default();
        Error::invalid_params(format!("Invalid params: `params.{name}`: {text}"))
    })
}

/// The parameter that is being completed. A fixed resource has nothing to complete.
fn find<'a>(ctx: &'a Context, reference: &Reference, argument: &str) -> Result<Option<&'a ParamPlan>, Error> {
    let registry = ctx.registry();
    let plan: &Plan = match reference {
        Reference::Prompt { name } => match registry.prompt(name) {
            Some((_, prompt)) => &prompt.plan,
            None => {
                return Err(unknown(
                    "prompt",
                    name,
                    registry.prompts.iter().map(|prompt| &*prompt.plan.about.name),
                ));
            }
        },
        Reference::Resource { uri } => match registry.template(uri) {
            Some(template) => &template.plan,
            None if registry.resource(uri).is_some() => return Ok(None),
            None => {
                return Err(unknown(
                    "resource template",
                    uri,
                    registry.templates.iter().map(|template| &*template.facts.uri),
                ));
            }
        },
    };
    let arguments = || plan.params.iter().filter(|plan| plan.is_argument);
    match arguments().find(|plan| plan.name == argument) {
        Some(found) => Ok(Some(found)),
        None => Err(unknown("argument", argument, arguments().map(|plan| &*plan.name))),
    }
}

/// ```json
/// {"completion": {"values": ["python", "pytorch"], "total": 10, "hasMore": true}}
/// ```
fn answer(ctx: &Context, completions: &Completions) -> Reply {
    let total = completions.values.len();
    let shown = &completions.values[..total.min(Completions::LIMIT)];
    let mut result = ResultWriter::new(ctx);
    let completion = serde_json::json!({ "values": shown, "total": total, "hasMore": total > shown.len() });
    write(result.member("completion"), &completion);
    Reply::of(ctx, Ok(result.finish(None)))
}
