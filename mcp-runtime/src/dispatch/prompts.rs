//! `prompts/get` (server/prompts, Getting a Prompt).

use super::call::Source;
use super::tools::unknown;
use super::{Begun, Call, suspend};
use crate::context::Context;
use crate::protocol::Error;

pub(super) fn get(ctx: &Context) -> Result<Begun, Error> {
    let request = ctx.request();
    let name = request.params.name.as_ref().map(|name| name.get(&request.text));
    let name = name.ok_or_else(|| Error::invalid_params("Invalid params: `params.name` is missing"))?;
    let registry = ctx.registry();
    let Some((target, _)) = registry.prompt(name) else {
        return Err(unknown("prompt", name, registry.prompts.iter().map(|prompt| &*prompt.plan.about.name)));
    };
    suspend::start(Call::new(ctx.clone(), target, Source::Strings))
}
