//! The server: what its author sets, and what every request reads.

mod add_error;
mod builder;
mod catalog;
#[cfg(feature = "cli")]
mod command_line;
mod core;
mod eras;
mod handle;
#[cfg(feature = "http")]
mod http;
mod live;
mod pages;
#[cfg(feature = "stdio")]
mod stdio;

pub use add_error::AddError;
pub use builder::Server;
pub(crate) use catalog::Catalog;
pub(crate) use core::Core;
pub use eras::Eras;
pub use handle::ServerHandle;
pub(crate) use live::Live;
pub(crate) use pages::Pages;
