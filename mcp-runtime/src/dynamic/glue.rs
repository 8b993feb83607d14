//! Between a call and a handler that was added at run time.

use std::borrow::Cow;
use std::future::ready;
use std::marker::PhantomData;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{DynamicArguments, DynamicHandler, NoArguments};
use crate::completion::{CompletionRequest, Completions, IntoCompletions, IntoResourceList};
use crate::context::Context;
use crate::dispatch::{Call, Outcome};
use crate::protocol::{Error, ResourceLink};
use crate::registry::{BoxFuture, Complete, Completer, Handle, List, Lister, ParamPlan, Work};
use crate::schema::check::{Check, Trust};

/// A handler, and how its result is written.
struct Answering<H, A, O> {
    handler: H,
    respond: fn(O, &Call) -> Outcome,
    arguments: PhantomData<fn(A)>,
}

/// The handler as the registry keeps it.
pub(super) fn work<A, H>(handler: H, respond: fn(H::Output, &Call) -> Outcome) -> Work
where
    A: DynamicArguments,
    H: DynamicHandler<A>,
    H::Output: 'static,
{
    Work::Added(Arc::new(Answering { handler, respond, arguments: PhantomData }))
}

impl<A, H> Handle for Answering<H, A, H::Output>
where
    A: DynamicArguments,
    H: DynamicHandler<A>,
{
    fn handle<'call>(&'call self, call: &'call Call) -> BoxFuture<'call, Outcome> {
        let mut arguments = call.arguments();
        let decoded = A::decode(&mut arguments).filter(|_| arguments.is_faultless());
        let Some(decoded) = decoded else { return Box::pin(ready(arguments.reject())) };
        let result = self.handler.call(decoded, call.context().clone());
        Box::pin(async move { (self.respond)(result.await, call) })
    }
}

/// A handler that completes or lists.
struct Helper<H>(H);

/// A handler that takes the text so far.
pub(super) fn completer<H>(handler: H) -> Completer
where
    H: DynamicHandler<String, Output: IntoCompletions>,
{
    Completer::Added(Arc::new(Helper(handler)))
}

impl<H: DynamicHandler<String, Output: IntoCompletions>> Complete for Helper<H> {
    fn complete<'call>(
        &'call self,
        request: &'call CompletionRequest<'call>,
    ) -> BoxFuture<'call, Result<Completions, Error>> {
        let completions = self.0.call(request.value.to_owned(), request.ctx.clone());
        Box::pin(async move { completions.await.into_completions() })
    }
}

/// A handler that lists the resources of a template.
pub(super) fn lister<H>(handler: H) -> Lister
where
    H: DynamicHandler<NoArguments, Output: IntoResourceList>,
{
    Lister::Added(Arc::new(Helper(handler)))
}

impl<H: DynamicHandler<NoArguments, Output: IntoResourceList>> List for Helper<H> {
    fn list<'call>(&'call self, ctx: &'call Context) -> BoxFuture<'call, Result<Vec<ResourceLink>, Error>> {
        let list = self.0.call(NoArguments(()), ctx.clone());
        Box::pin(async move { list.await.into_resource_list() })
    }
}

/// The arguments as one value, whose fields are the arguments.
pub(super) fn whole<A: DynamicArguments>() -> Result<Option<ParamPlan>, String> {
    let Some(described) = A::schema() else { return Ok(None) };
    if let Some(kind) = described.0.schema.get("type").filter(|kind| **kind != "object") {
        return Err(format!("they must be a struct or a map; the schema of their type says {kind}"));
    }
    let check = Check::compile(&described.0.stated, Trust::Decoded)?;
    let plan = ParamPlan { flatten: true, schema: described.0.schema, check, ..ParamPlan::added("") };
    Ok(Some(plan))
}

/// The same, by a schema that the author wrote.
pub(super) fn whole_by_hand(schema: Value, check: Option<Check>) -> ParamPlan {
    ParamPlan { flatten: true, schema, check, ..ParamPlan::added("") }
}

/// One argument that comes as text, as it is said in the schema of the whole.
pub(super) fn text_argument(name: impl Into<Cow<'static, str>>, schema: &Value) -> ParamPlan {
    let name = name.into();
    let root = schema.as_object();
    let property = |root: &Map<String, Value>| root.get("properties")?.get(&*name).cloned();
    let mut own = root.and_then(property).unwrap_or_else(|| json!({ "type": "string" }));
    if let (Some(definitions), Value::Object(own)) = (schema.get("$defs"), &mut own) {
        own.insert("$defs".to_owned(), definitions.clone());
    }
    let required =
        schema["required"].as_array().is_some_and(|names| names.iter().any(|other| *other == *name));
    ParamPlan { required, schema: own, ..ParamPlan::added(name) }
}
