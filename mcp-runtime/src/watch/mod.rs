//! Resources that change by themselves: `#[resource(.., watch = path)]`.

mod source;
#[cfg(test)]
mod tests;
mod watchers;

pub use source::{ManyAddresses, OneAddress, States, Updated, WatchSource, Watching};
pub(crate) use watchers::{Guard, Watchers};
