//! `tools/call` (server/tools, Calling Tools).

use super::call::Source;
use super::{Begun, Call, suspend};
use crate::context::Context;
use crate::protocol::Error;
use crate::schema::nearest::nearest;

pub(super) fn call(ctx: &Context) -> Result<Begun, Error> {
    let request = ctx.request();
    let name = request.params.name.as_ref().map(|name| name.get(&request.text));
    let name = name.ok_or_else(|| Error::invalid_params("Invalid params: `params.name` is missing"))?;
    let registry = ctx.registry();
    let Some((target, _)) = registry.tool(name) else {
        return Err(unknown("tool", name, registry.tools.iter().map(|tool| &*tool.plan.about.name)));
    };
    let call = Call::new(ctx.clone(), target, Source::Json);
    let faults = call.faults_of_the_whole();
    if !faults.is_empty() {
        let outcome = call.reject(&faults);
        return Ok(Begun::Done(super::Reply::of(ctx, outcome)));
    }
    suspend::start(call)
}

/// ```json
/// {"code": -32602, "message": "Unknown tool: forcast; did you mean `forecast`?"}
/// ```
pub(super) fn unknown<'a>(kind: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Error {
    let hint = nearest(name, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Error::invalid_params(format!("Unknown {kind}: {name}{hint}"))
}
