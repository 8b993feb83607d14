//! Under construction.

#[allow(dead_code)]
mod arena;
