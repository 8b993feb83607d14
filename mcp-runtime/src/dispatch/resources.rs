//! `resources/read` (server/resources, Reading Resources).

use std::borrow::Cow;

use super::call::Source;
use super::{Begun, Call, suspend};
use crate::context::Context;
use crate::protocol::Error;
use crate::registry::Target;

/// A resource with this address is read; else the most specific template that matches.
pub(super) fn read(ctx: &Context) -> Result<Begun, Error> {
    let request = ctx.request();
    let uri = request.params.uri.as_ref().map(|uri| uri.get(&request.text));
    let uri = uri.ok_or_else(|| Error::invalid_params("Invalid params: `params.uri` is missing"))?;
    let registry = ctx.registry();
    if let Some(target) = registry.resource(uri) {
        return suspend::start(Call::new(ctx.clone(), target, Source::Variables(Vec::new())));
    }
    let matched = registry.templates.iter().enumerate().find_map(|(index, candidate)| {
        candidate.template.match_uri(uri).map(|values| (index, candidate, values))
    });
    let (index, found, values) = matched.ok_or_else(|| Error::resource_not_found(uri))?;
    let names = found.template.variables().map(|variable| variable.name.clone());
    let variables = names.zip(values.into_iter().map(|value| value.map(Cow::into_owned))).collect();
    suspend::start(Call::new(ctx.clone(), Target::Template(index), Source::Variables(variables)))
}
