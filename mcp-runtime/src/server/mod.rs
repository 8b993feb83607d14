//! The server: what its author sets, and what every request reads.

mod builder;
#[cfg(feature = "cli")]
mod command_line;
mod core;
#[cfg(feature = "http")]
mod http;
mod pages;
#[cfg(feature = "stdio")]
mod stdio;

pub use builder::Server;
pub(crate) use core::Core;
pub(crate) use pages::Pages;
