//! The lists, in pages (server/utilities/pagination).

use std::ops::Range;

use super::{Begun, Reply};
use crate::context::Context;
use crate::output::ResultWriter;
use crate::output::write;
use crate::protocol::{Error, ResourceLink};
use crate::server::Pages;

/// A list whose items are known beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Tools,
    Resources,
    Templates,
    Prompts,
}

impl Kind {
    /// The member of the result that holds the items.
    pub(crate) fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
            Self::Prompts => "prompts",
        }
    }
}

/// Answers from the pages that were serialized beforehand.
pub(super) fn prepared(ctx: &Context, kind: Kind) -> Result<Reply, Error> {
    let pages = ctx.catalog().pages(kind);
    let offset = offset(ctx, kind)?;
    let page = pages.starting_at(offset).ok_or_else(invalid_cursor)?;
    let mut result = ResultWriter::new(ctx);
    result.raw_members(page);
    Ok(Reply::of(ctx, Ok(result.finish(None))))
}

/// `resources/list`: the fixed ones, then what the templates' `list` functions give.
pub(super) fn resources(ctx: &Context) -> Result<Begun, Error> {
    let registry = ctx.registry();
    if registry.templates.iter().all(|template| template.list.is_none()) {
        return prepared(ctx, Kind::Resources).map(Begun::Done);
    }
    let offset = offset(ctx, Kind::Resources)?;
    let ctx = ctx.clone();
    Ok(Begun::Waiting(Box::pin(async move {
        let guard = ctx.cancel_on_drop();
        let listing = tokio::time::timeout(ctx.core().request_timeout(), listed(&ctx)).await;
        let reply = match listing {
            Ok(Ok(links)) => computed(&ctx, offset, &links),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(Error::internal("Listing the resources took too long")),
        };
        guard.disarm();
        reply.unwrap_or_else(|error| Reply::error(Some(ctx.request_id()), &error))
    })))
}

async fn listed(ctx: &Context) -> Result<Vec<ResourceLink>, Error> {
    let mut links = Vec::new();
    for template in &ctx.registry().templates {
        let Some(list) = &template.list else { continue };
        for mut link in super::run::guarded(ctx, &template.plan.about.name, || list.list(ctx)).await? {
            // What the template says of all its resources holds for each of them.
            if link.mime_type.is_none() {
                link.mime_type = template.facts.mime.as_deref().map(str::to_owned);
            }
            links.push(link);
        }
    }
    Ok(links)
}

fn computed(ctx: &Context, offset: usize, links: &[ResourceLink]) -> Result<Reply, Error> {
    let core = ctx.core();
    let fixed = &ctx.registry().resources;
    let total = fixed.len() + links.len();
    if offset > 0 && offset >= total {
        return Err(invalid_cursor());
    }
    let page: Range<usize> = offset..total.min(offset.saturating_add(core.page_size()));
    let mut result = ResultWriter::new(ctx);
    let out = result.member(Kind::Resources.member());
    out.push(b'[');
    for index in page.clone() {
        if index > page.start {
            out.push(b',');
        }
        match fixed.get(index) {
            Some(resource) => out.extend_from_slice(&resource.listing),
            None => write(out, &links[index - fixed.len()]),
        }
    }
    out.push(b']');
    if page.end < total {
        write(result.member("nextCursor"), &core.cursor(Kind::Resources, page.end));
    }
    // What a function lists may change at any time and differ from caller to caller.
    result.raw_members(Pages::UNCACHED);
    Ok(Reply::of(ctx, Ok(result.finish(None))))
}

/// Where the page begins that the request asks for.
fn offset(ctx: &Context, kind: Kind) -> Result<usize, Error> {
    let request = ctx.request();
    match &request.params.cursor {
        None => Ok(0),
        Some(cursor) => ctx.core().open_cursor(kind, cursor.get(&request.text)).ok_or_else(invalid_cursor),
    }
}

/// "Invalid cursors SHOULD result in an error with code -32602 (Invalid params)."
fn invalid_cursor() -> Error {
    Error::invalid_params("Invalid cursor: start again without one")
}
