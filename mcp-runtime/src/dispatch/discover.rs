//! `server/discover` (server/discover).

use super::Reply;
use crate::context::Context;
use crate::output::ResultWriter;

pub(super) fn discover(ctx: &Context) -> Reply {
    let mut result = ResultWriter::new(ctx);
    result.raw_members(ctx.catalog().discovery());
    Reply::of(ctx, Ok(result.finish(None)))
}
