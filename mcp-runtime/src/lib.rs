//! Under construction.

#[allow(dead_code)]
mod arena;
#[allow(dead_code)]
mod arguments;
mod safe_path;
#[allow(dead_code)]
mod template;

pub use safe_path::{SafePath, UnsafePath};
