//! Under construction.

#[allow(dead_code)]
mod arena;
#[allow(dead_code)]
mod arguments;
#[allow(dead_code)]
mod template;
