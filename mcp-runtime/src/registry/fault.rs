//! What keeps a server from starting, all of it at once.

use std::fmt;

use super::Label;

/// Why a server does not start: every fault with the place in the source that can mend it.
///
/// ```text
/// the server cannot start: 2 faults
///   - two tools are called `search`: src/web.rs:12 and src/files.rs:40; rename one with `#[tool(name = "..")]`
///   - `report` takes `State<Db>`, which is not registered: give one to `Server::state`, as in
///     `mcp_runtime::server!().state(..).main()` (src/report.rs:8)
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct StartError {
    faults: Vec<String>,
}

impl StartError {
    /// The faults, a sentence each.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }
}

/// The sentences again: it is what `fn main() -> Result<()>` prints.
impl fmt::Debug for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.faults.len() == 1 { "" } else { "s" };
        write!(f, "the server cannot start: {} fault{plural}", self.faults.len())?;
        self.faults.iter().try_for_each(|fault| write!(f, "\n  - {fault}"))
    }
}

impl std::error::Error for StartError {}

/// Gathers faults, so that an author mends them in one go.
#[derive(Default)]
pub(crate) struct Faults(Vec<String>);

impl Faults {
    /// A fault of the server as a whole.
    pub(crate) fn note(&mut self, fault: impl Into<String>) {
        self.0.push(fault.into());
    }

    /// A fault of one entry.
    pub(crate) fn at(&mut self, about: &Label, fault: impl fmt::Display) {
        self.0.push(format!("`{}` {fault} ({})", about.name, about.place));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The faults, a sentence each.
    pub(crate) fn into_sentences(self) -> Vec<String> {
        self.0
    }

    pub(crate) fn into_result(self) -> Result<(), StartError> {
        if self.0.is_empty() { Ok(()) } else { Err(StartError { faults: self.0 }) }
    }
}
