//! Under construction.

#[allow(dead_code)]
mod arena;
#[allow(dead_code)]
mod arguments;
