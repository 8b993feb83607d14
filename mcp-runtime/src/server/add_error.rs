//! Why something cannot be added to a server.

use std::fmt;

use crate::registry::Faults;

/// Why a tool, a resource or a prompt could not be added: every fault, with the place in the source where it was made.
///
/// ```
/// use mcp_runtime::{Context, DynamicTool, Server};
///
/// let server = Server::new();
/// let error = server.handle().add_tool(DynamicTool::new("a b", |_: Context| async { 1 })).unwrap_err();
/// assert!(error.to_string().starts_with("`a b` is no name for a tool: use 1 to 128 of A-Z, a-z, 0-9"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct AddError {
    faults: Vec<String>,
}

impl AddError {
    pub(super) fn of(faults: Faults) -> Self {
        Self { faults: faults.into_sentences() }
    }

    /// The faults, a sentence each.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }
}

/// The sentences again: it is what `unwrap` and `fn main() -> Result<()>` print.
impl fmt::Debug for AddError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for AddError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.faults.join("\n"))
    }
}

impl std::error::Error for AddError {}
